/** The host of an address as sockets and certificates take it: an IPv6 one without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port that an address is reached at. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** An absolute address, or one that is relative to another; undefined for any other text. `URL.canParse` is not used: once optimised, Node 20's refuses hosts such as `bücher.test`. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

const PARTS = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)(.*)$/is;
const NO_ASCII = /[^!-~]/u;

/**
 * An absolute address with further parameters at the end of its query. The rest keeps its spelling, because its owner may compare or
 * sign it: only what no header can carry is encoded. Undefined for a text that is no address of HTTP.
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
  // A browser ignores it, too.
  const parts = PARTS.exec(address.trim().replace(/[\t\r\n]/g, ''));
  if (!parts) {
    return url.href;
  }
  const [, authority = '', rest = ''] = parts;
  // A host of other letters has another spelling in ASCII.
  const written = new URL('/', url).href.slice(0, -1);
  const origin = NO_ASCII.test(authority) ? written : `${url.protocol}//${authority}`;
  return origin + rest.replace(/[^!-~]/gu, encoded);
}

function encoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
