import { type Finding, Refusal } from '../../../base/refusal.ts';
import { describeSyntaxError } from '../../../base/text/json-syntax.ts';
import { describeContentType, parseContentType } from './content-type.ts';
import { duplicatesIn } from './json-duplicates.ts';
import { checkTree } from './json-tree.ts';

const TYPE = 'application/json';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses a Content-Type that is not JSON in UTF-8. Source: INTERFACE.md, "header Content-Type: application/json (required)". */
export function checkJsonType(contentType: string | undefined): void {
  if (contentType === TYPE) {
    return;
  }
  const { type, parameters } = parseContentType(contentType);
  if (type !== TYPE) {
    throw new Refusal('wrong-media-type', `${describeContentType(contentType)}; send Content-Type: ${TYPE}`);
  }
  const { charset } = parameters;
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new Refusal(
      'wrong-media-type',
      `charset ${charset.slice(0, 40)} is not accepted; send Content-Type: ${TYPE} in UTF-8`,
    );
  }
}

/** A JSON object from bytes, and its duplicates. Throws a Refusal with the position of a syntax error. */
export function parseJsonBody(bytes: Buffer): { value: object; duplicates: readonly Finding[] } {
  const text = decode(bytes);
  if (text === '') {
    throw new Refusal('malformed-body', 'the body is empty; a JSON object was expected');
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const kind = Array.isArray(value) ? 'a JSON array' : value === null ? 'null' : `a JSON ${typeof value}`;
    throw new Refusal('malformed-body', `the body is ${kind}; a JSON object was expected`);
  }
  checkTree(value);
  return { value, duplicates: duplicatesIn(text, value) };
}

/** Decodes UTF-8, without the byte order mark. */
function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('malformed-body', 'the body is not valid UTF-8; a JSON object in UTF-8 was expected');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the body, which may have a secret, and does not always have the position.
    throw new Refusal('malformed-body', `the body is not JSON: ${describeSyntaxError(text)}`);
  }
}
