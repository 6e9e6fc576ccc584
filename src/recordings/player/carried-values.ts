import { isMembers, ownMember } from '../../base/members.ts';
import type { RecordedAnswer } from '../../base/schema/generated/recordings.ts';
import { jsonOf } from '../body.ts';
import { mapValues, SEGMENT, type SentCall } from './call-values.ts';

/** Shorter texts are words, and longer ones pictures or prose, not ids that a later call contains. */
const [MIN_LENGTH, MAX_LENGTH] = [6, 2048];
const ID_CHARACTERS = /^[\w.~+/=*:-]+$/;
/** Numbers with separators, such as 10.00, 000.100.110 and 2026-11-25, which are not ids. */
const SEPARATED_NUMBERS = /^[+-]?\d+(?:[.,:/-]\d+)+$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]/;
/** The assumed name of a number in a segment of a path. */
const ID = 'id';
/** Names of members whose value is an id even if it is short: id, accountId, but not amountPaid. */
const ID_NAME = /^id$|_id$|[a-z\d]I[dD]$/;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Separators of the words of a text, then those of the parts of a word. */
const SEPARATORS = [/(\s+)/, /([,;=&?/#"'<>()|]+)/];

/**
 * Replaces the service's ids and tokens in recorded calls with those of the sandbox. Learns which correspond by comparing the two
 * answers to each call. Values that the merchant's program generated are not replaced.
 */
export class CarriedValues {
  readonly #values = new Map<string, string>();
  /** Values that the merchant's program sent before any answer contained them, so they are not ids of the service. */
  readonly #sentFirst = new Set<string>();

  /** A recorded call with its values replaced. */
  replaceIn(call: SentCall): SentCall {
    return mapValues(call, (name, value) => this.#replaceInMember(name === SEGMENT ? ID : name, value));
  }

  /** Maps the values at the same place of both answers to each other. */
  learn(recorded: RecordedAnswer, played: RecordedAnswer): void {
    this.#learn('', jsonOf(recorded?.body), jsonOf(played?.body));
  }

  #learn(name: string, recorded: unknown, played: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(played)) {
      for (const [index, each] of recorded.entries()) {
        this.#learn(name, each, played[index]);
      }
    } else if (isMembers(recorded) && isMembers(played)) {
      for (const [member, each] of Object.entries(recorded)) {
        this.#learn(member, each, ownMember(played, member));
      }
    } else if (ID_NAME.test(name) && isWholeNumber(recorded) && isWholeNumber(played)) {
      this.#learnPair(numberKey(name, recorded), String(played));
    } else if (isId(recorded) && typeof played === 'string' && ID_CHARACTERS.test(played)) {
      this.#learnPair(recorded, played);
    }
  }

  /** Equal values are learned, too: otherwise the next call would mark them as sent first, and a later answer could not change them. */
  #learnPair(key: string, played: string): void {
    if (!this.#sentFirst.has(key)) {
      this.#values.set(key, played);
    }
  }

  #replaceInMember(name: string, text: string): string {
    const isNumber = WHOLE_NUMBER.test(text) && ID_NAME.test(name);
    return (isNumber ? this.#replacementOf(numberKey(name, text)) : undefined) ?? this.#replaceInWords(text);
  }

  #replaceInWords(text: string, [separator, ...finer]: readonly RegExp[] = SEPARATORS): string {
    const replacement = isId(text) ? this.#replacementOf(text) : undefined;
    if (replacement !== undefined || !separator) {
      return replacement ?? text;
    }
    return text
      .split(separator)
      .map((word) => this.#replaceInWords(word, finer))
      .join('');
  }

  #replacementOf(key: string): string | undefined {
    const replacement = this.#values.get(key);
    if (replacement === undefined) {
      this.#sentFirst.add(key);
    }
    return replacement;
  }
}

/** Short numbers are mapped for each name separately: 7 as an id is not 7 as an accountId. */
const numberKey = (name: string, value: number | string): string => `${name} ${value}`;

function isWholeNumber(value: unknown): value is number | string {
  return (typeof value === 'number' || typeof value === 'string') && WHOLE_NUMBER.test(String(value));
}

/** Whether a text looks like a generated id, and not like a word, a number or a time. */
function isId(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= MIN_LENGTH &&
    text.length <= MAX_LENGTH &&
    ID_CHARACTERS.test(text) &&
    /[\d*]/.test(text) &&
    !SEPARATED_NUMBERS.test(text) &&
    !TIME.test(text)
  );
}
