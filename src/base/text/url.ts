/** The host of an address as sockets and certificates take it: an IPv6 one without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** An absolute address, or one that is relative to another; undefined for any other text. `URL.canParse` is not used: once optimised, Node 20's refuses hosts such as `bücher.test`. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
