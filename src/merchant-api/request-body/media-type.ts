/** A Content-Type header taken apart. */
export interface MediaType {
  /** In lower case, without parameters; empty when no header came. */
  type: string;
  /** By lower-case name, quotes taken off; of a repeated one the first. */
  parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([^=;\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Takes a Content-Type header apart; never throws. Source: RFC 9110, section 8.3.1. */
export function parseMediaType(header: string | undefined): MediaType {
  const [type = ''] = (header ?? '').split(';', 1);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of (header ?? '').slice(type.length).matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1'));
    }
  }
  return { type: type.trim().toLowerCase(), parameters };
}

/** What Content-Type came, in words for a refusal. */
export function describeContentType(header: string | undefined): string {
  return header === undefined ? 'no Content-Type came' : `Content-Type ${header.slice(0, 100)} came`;
}
