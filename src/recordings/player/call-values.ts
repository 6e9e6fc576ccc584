import type { RecordedBody, RecordedCall } from '../../base/schema/generated/recordings.ts';
import { type Leaf, mapLeaves } from '../leaves.ts';

export type SentCall = Pick<RecordedCall, 'method' | 'target' | 'headers' | 'body'>;

/** Returns the replacement of a value in a header, parameter, part or member. An item of a list has the list's name. */
export type ValueChange = (name: string, value: string) => string;

/** The name of a segment of the path. */
export const SEGMENT = '(path)';
/** The name of a body that is a text. */
const TEXT = '(body)';

/** A copy of a call with each value changed. `change` gets decoded values, but a text body as a whole. Numbers stay numbers. */
export function mapValues({ method, target, headers, body }: SentCall, change: ValueChange): SentCall {
  return {
    method,
    target: mapTarget(target, change),
    headers: headers.map(({ name, value }) => ({ name, value: change(name, value) })),
    body: mapBody(body, change),
  };
}

function mapTarget(target: string, change: ValueChange): string {
  const [path = '', ...query] = target.split('?');
  const segments = path.split('/').map((segment) => mapEncoded(SEGMENT, segment, change));
  const parameters = query
    .join('?')
    .split('&')
    .map((parameter) => {
      const [name = '', ...value] = parameter.split('=');
      return value.length === 0 ? parameter : `${name}=${mapEncoded(decode(name), value.join('='), change)}`;
    });
  return `${segments.join('/')}${query.length === 0 ? '' : `?${parameters.join('&')}`}`;
}

function mapEncoded(name: string, encoded: string, change: ValueChange): string {
  const text = decode(encoded);
  const replacement = change(name, text);
  return replacement === text ? encoded : encodeURIComponent(replacement);
}

/** Returns a text with an invalid encoding unchanged. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function mapBody(body: RecordedBody, change: ValueChange): RecordedBody {
  if (body === null || 'bytes' in body) {
    return body;
  }
  if ('text' in body) {
    return { text: change(TEXT, body.text) };
  }
  if ('form' in body) {
    const form = body.form.map((part) =>
      'value' in part ? { name: part.name, value: change(part.name, part.value) } : part,
    );
    return { form };
  }
  return { json: mapLeaves(body.json, (leaf) => mapLeaf(leaf, change)) as typeof body.json };
}

function mapLeaf({ name, value }: Leaf, change: ValueChange): unknown {
  if (typeof value === 'number') {
    const text = change(name, String(value));
    return text === String(value) || Number.isNaN(Number(text)) ? value : Number(text);
  }
  return typeof value === 'string' ? change(name, value) : value;
}
