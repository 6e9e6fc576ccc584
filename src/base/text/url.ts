/** The host of an address in the form for sockets and certificates: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port of an address, or the default port of its protocol. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** An absolute address, or one relative to `base`; undefined for any other text. `URL.canParse` is not used, because in Node 20, once optimized, it refuses hosts such as `bücher.test`. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

const PARTS = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)(.*)$/is;
const NOT_ASCII = /[^!-~]/u;

/**
 * An absolute address with further parameters at the end of its query. The rest keeps its spelling, because its owner may compare or
 * sign it; only blanks and characters outside ASCII are encoded. Undefined for a text that is not an HTTP address.
 */
export function appendQuery(address: string, parameters: Readonly<Record<string, string>>): string | undefined {
  const url = parseUrl(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return undefined;
  }
  const [head = '', ...fragments] = spellingOf(address, url).split('#');
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const separator = head.includes('?') ? (/[?&]$/.test(head) ? '' : '&') : '?';
  return [`${head}${separator}${added.join('&')}`, ...fragments].join('#');
}

function spellingOf(address: string, url: URL): string {
  // Browsers ignore these characters, too.
  const parts = PARTS.exec(address.trim().replace(/[\t\r\n]/g, ''));
  if (!parts) {
    return url.href;
  }
  const [, authority = '', rest = ''] = parts;
  // A host with letters outside ASCII has a different spelling in ASCII.
  const asciiOrigin = new URL('/', url).href.slice(0, -1);
  const origin = NOT_ASCII.test(authority) ? asciiOrigin : `${url.protocol}//${authority}`;
  return origin + rest.replace(/[^!-~]/gu, percentEncode);
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
