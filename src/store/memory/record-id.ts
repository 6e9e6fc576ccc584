import { MemberReader } from './member-reader.ts';
import { standsAt } from './stands-at.ts';

const BEFORE_ID = Buffer.from('{"id":"');
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** Bytes below stand for themselves. */
const NOT_ASCII = 0x80;
const IDS = new MemberReader(['id']);

/**
 * The id in a record's JSON, as a text of its own: a part of the record's text would keep all of that in memory. The id of nearly
 * every record stands first, and is read without a look at what follows; what a start reads need not even be JSON.
 */
export function idIn(json: Buffer): string {
  return idAtBegin(json) ?? Buffer.from(String(IDS.read(json)['id'])).toString();
}

/** Undefined where the record does not begin with its id, or a character of it does not stand for itself. */
function idAtBegin(json: Buffer): string | undefined {
  if (!standsAt(json, 0, BEFORE_ID)) {
    return undefined;
  }
  let end = BEFORE_ID.length;
  while (isPlain(json[end])) {
    end += 1;
  }
  return json[end] === QUOTE ? json.toString('latin1', BEFORE_ID.length, end) : undefined;
}

function isPlain(byte = NOT_ASCII): boolean {
  return byte !== QUOTE && byte !== BACKSLASH && byte < NOT_ASCII;
}
