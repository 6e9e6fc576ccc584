/** Where a request goes: the server, and what it is asked for. */
export interface Destination {
  origin: URL;
  path: string;
}

/** What a path means below a base address, which may have a path and a query. */
export function below(base: URL, address: string): Destination {
  if (address === '*') {
    return { origin: base, path: address };
  }
  const mark = address.indexOf('?');
  const [path, query] = mark === -1 ? [address, ''] : [address.slice(0, mark), address.slice(mark)];
  const whole = path === '' ? base.pathname : base.pathname.replace(/\/$/, '') + path;
  return { origin: base, path: `${whole}${base.search}${base.search === '' ? query : query.replace('?', '&')}` };
}
