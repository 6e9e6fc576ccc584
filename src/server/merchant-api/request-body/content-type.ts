import { parse } from 'content-type';

/** A parsed Content-Type header: the type in lower case, parameters by lower-case name. Never throws. */
export function parseContentType(header: string | undefined): {
  type: string;
  parameters: Readonly<Record<string, string | undefined>>;
} {
  return parse(header ?? '');
}

export function describeContentType(header: string | undefined): string {
  return header === undefined ? 'no Content-Type was sent' : `Content-Type ${header.slice(0, 100)} was sent`;
}
