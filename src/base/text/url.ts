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
