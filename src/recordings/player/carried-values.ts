import { isMembers, ownMember } from '../../base/members.ts';
import { Recent } from '../../base/recent.ts';
import type { RecordedAnswer } from '../../base/schema/recordings.ts';
import { parseUrl } from '../../base/text/url.ts';
import { decoded, mapValues, SEGMENT, type SentCall } from './call-values.ts';

/**
 * Values that are remembered, at least: those of some 10,000 payments. What was not used for longer is sent as it was recorded.
 */
const MOST_VALUES = 50_000;

/** A longer text is a picture or prose, and nothing that a later call names. */
const LONGEST = 2048;
const ID_CHARACTERS = /^[\w.~+/=*:-]+$/;
/** 10.00, 000.100.110, 2026-11-25 and the like. */
const NUMBERS_IN_ONE = /^[+-]?\d+(?:[.,:/-]\d+)+$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]/;
/** What a number is that is a segment of a path. */
const ID = 'id';
/** Of a member whose value is an id, however short: id, accountId, but not amountPaid. */
const ID_NAME = /^id$|_id$|[a-z\d]I[dD]$/;
/** What an address is below that says neither scheme nor host. */
const RELATIVE = 'http://relative.invalid/';
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Between the words of a text, then between the parts of a word. */
const SEPARATORS = [/(\s+)/, /([,;=&?/#"'<>()|]+)/];

/**
 * What a service made up, such as ids and tokens, is another value each time. This learns from pairs of answers which one stands for
 * which, and puts it in its place in later calls. What the merchant's program made up itself stays as it is.
 */
export class CarriedValues {
  readonly #values = new Recent<string>(MOST_VALUES);
  /** What came from the merchant's program first: where a service repeats it, it is no id of the service. */
  readonly #own = new Recent<true>(MOST_VALUES);

  /** A recorded call with what its values are now. */
  inCall(call: SentCall): SentCall {
    return mapValues(call, (name, value) => this.#inMember(name === SEGMENT ? ID : name, value));
  }

  /** What answers to the same call give at the same place stands for each other. */
  learn(recorded: RecordedAnswer, replayed: RecordedAnswer): void {
    if (!recorded || !replayed) {
      return;
    }
    const [was, is] = [recorded.body, replayed.body];
    if (was && is && 'json' in was && 'json' in is) {
      this.#learnJson('', was.json, is.json);
    }
    const now = madeUpIn(replayed);
    for (const [name, text] of madeUpIn(recorded)) {
      this.#learnText(text, now.get(name) ?? '');
    }
  }

  #learnJson(name: string, was: unknown, is: unknown): void {
    if (Array.isArray(was) && Array.isArray(is)) {
      for (const [index, each] of was.entries()) {
        this.#learnJson(name, each, is[index]);
      }
    } else if (isMembers(was) && isMembers(is)) {
      for (const [member, each] of Object.entries(was)) {
        this.#learnJson(member, each, ownMember(is, member));
      }
    } else if (ID_NAME.test(name) && isWholeNumber(was) && isWholeNumber(is)) {
      this.#learnPair(numberKey(name, was), String(is), String(was));
    } else if (typeof was === 'string' && typeof is === 'string') {
      this.#learnText(was, is);
    }
  }

  /** An id, or an address with ids in its path and query. */
  #learnText(was: string, is: string): void {
    const [from, to] = [addressOf(was), addressOf(is)];
    if (!from || !to) {
      if (isId(was) && ID_CHARACTERS.test(is)) {
        this.#learnPair(was, is, was);
      }
      return;
    }
    const [segments, others] = [from.pathname.split('/'), to.pathname.split('/')];
    // Another service may have its pages at another depth: the end of a path is what names a thing.
    for (let back = 1; back <= Math.min(segments.length, others.length); back += 1) {
      this.#learnText(decoded(segments.at(-back) ?? ''), decoded(others.at(-back) ?? ''));
    }
    for (const [name, value] of from.searchParams) {
      this.#learnText(value, to.searchParams.get(name) ?? '');
    }
  }

  #learnPair(key: string, is: string, was: string): void {
    if (was === is) {
      this.#values.delete(key);
    } else if (!this.#own.use(key)) {
      this.#values.set(key, is);
    }
  }

  #inMember(name: string, text: string): string {
    if (WHOLE_NUMBER.test(text) && ID_NAME.test(name)) {
      const now = this.#valueOf(numberKey(name, text));
      if (now !== undefined) {
        return now;
      }
    }
    return this.#inWords(text);
  }

  #inWords(text: string, [separator, ...finer]: readonly RegExp[] = SEPARATORS): string {
    const now = isId(text) ? this.#valueOf(text) : undefined;
    if (now !== undefined || !separator) {
      return now ?? text;
    }
    return text
      .split(separator)
      .map((word) => this.#inWords(word, finer))
      .join('');
  }

  /** What a value is now. One that is met here first is the merchant's own. */
  #valueOf(key: string): string | undefined {
    const now = this.#values.use(key);
    if (now === undefined) {
      this.#own.set(key, true);
    }
    return now;
  }
}

/** A short number stands for another under its own name alone: 7 as an id is not 7 as an accountId. */
const numberKey = (name: string, value: number | string): string => `${name} ${value}`;

function isWholeNumber(value: unknown): value is number | string {
  return (typeof value === 'number' || typeof value === 'string') && WHOLE_NUMBER.test(String(value));
}

/** Whether a text looks like something that a service made up, and not like a word, a number or a time. */
function isId(text: string): boolean {
  return (
    text.length >= 6 &&
    text.length <= LONGEST &&
    ID_CHARACTERS.test(text) &&
    /[\d*]/.test(text) &&
    !NUMBERS_IN_ONE.test(text) &&
    !TIME.test(text)
  );
}

function addressOf(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
}

/** What headers have that a later call may name: an address, an entity tag, and cookies by their names. */
function madeUpIn({ headers }: NonNullable<RecordedAnswer>): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of headers) {
    const lower = name.toLowerCase();
    const [, cookie = '', text = ''] = /^\s*([^=;\s]+)\s*=\s*"?([^;"]*)/.exec(value) ?? [];
    if (lower === 'location') {
      found.set(lower, parseUrl(value, RELATIVE)?.href ?? value);
    } else if (lower === 'etag') {
      found.set(lower, value.replace(/^W\/|"/g, ''));
    } else if (lower === 'set-cookie') {
      found.set(`cookie ${cookie}`, text);
    }
  }
  return found;
}
