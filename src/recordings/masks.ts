import { randomBytes } from 'node:crypto';
import { emailsIn } from '../base/masking/looks.ts';
import { Masker } from '../base/masking/masker.ts';
import { runInTurns } from '../base/run-in-turns.ts';
import type { RecordedAnswer, RecordedBody, RecordedHeader, RecordedPart } from '../base/schema/recordings.ts';
import { runSteps, type Steps } from '../base/steps.ts';
import { headerOf } from './body.ts';
import { PERSONAL_NAMES, recordingNames } from './masks/names.ts';
import { withoutPictures } from './masks/pictures.ts';
import { Replacements } from './masks/replacements.ts';
import type { Exchange } from './recording.ts';

/** What is before and behind a part of a name in a query or a form. */
const NAME_BEFORE = /[?&;]([^=&;?#\s"'<>]*)$/;
const NAME_BEHIND = /^([^=&;?#\s"'<>]*)=/;
const LONGEST_NAME = 100;
/** The user and password of an address, which are no e-mail address with its host. */
const LOGIN_BEFORE = /:\/\/[^\s/"'<>?#]*$/;

/**
 * Masks what is secret or personal in exchanges before they are written. The same value gets the same stand-in as long as this lives, so
 * that a token of one answer is recognised in a later call; what it was, nobody can find out.
 */
export class Masks {
  /** The members that are masked beside those of the request log. */
  readonly names: readonly string[];
  readonly #replacements: Replacements;
  readonly #masker: Masker;

  /** `more` are members that are personal, too. */
  constructor(more: readonly string[] = [], key: Uint8Array = randomBytes(32)) {
    this.names = [...PERSONAL_NAMES, ...more];
    const names = recordingNames(more);
    const replacements = new Replacements(key);
    this.#replacements = replacements;
    this.#masker = new Masker({
      kindOf: (name) => names.kindOf(name),
      keepsShape: true,
      replace: (value, kind) => replacements.forText(value, kind),
      replaceNumber(value, kind) {
        const isMasked = kind !== undefined || replacements.knownFor(String(value)) !== undefined;
        return isMasked ? replacements.forNumber(value, kind ?? 'personal') : value;
      },
      replaceName: (name) => replacements.knownFor(name),
      prepare: withoutPictures,
      moreIn: (text) =>
        emailsIn(text).filter(({ from }) => !LOGIN_BEFORE.test(text.slice(Math.max(0, from - LONGEST_NAME), from))),
      knownIn: (text) => replacements.placesIn(text).filter((place) => !isPartOfName(text, place)),
    });
  }

  inExchange<Masked extends Exchange>(exchange: Masked): Masked {
    return runSteps(this.#inExchange(exchange));
  }

  /** The same, so that other work of the process has its turn. Only one exchange may be masked at a time. */
  inTurns<Masked extends Exchange>(exchange: Masked): Promise<Masked> {
    return runInTurns(this.#inExchange(exchange));
  }

  *#inExchange<Masked extends Exchange>(exchange: Masked): Steps<Masked> {
    this.#replacements.beginExchange();
    // What the answer tells may be in the call, too: the first time is for learning alone.
    yield* this.#once(exchange);
    return yield* this.#once(exchange);
  }

  *#once<Masked extends Exchange>(exchange: Masked): Steps<Masked> {
    const { target, headers, body, answer, error } = exchange;
    return {
      ...exchange,
      target: yield* this.#masker.text(target),
      ...(yield* this.#inMessage({ headers, body })),
      answer: answer && { ...answer, ...(yield* this.#inMessage(answer)) },
      error: error && (yield* this.#masker.text(error)),
    };
  }

  *#inMessage({ headers, body }: Pick<NonNullable<RecordedAnswer>, 'headers' | 'body'>): Steps<{
    headers: RecordedHeader[];
    body: RecordedBody;
  }> {
    const masked: RecordedHeader[] = [];
    for (const { name, value } of headers) {
      masked.push({ name: this.#masker.name(name), value: yield* this.#masker.header(name, value) });
    }
    return { headers: masked, body: yield* this.#inBody(body, headers) };
  }

  *#inBody(body: RecordedBody, headers: readonly RecordedHeader[]): Steps<RecordedBody> {
    if (body === null || 'bytes' in body) {
      return body;
    }
    if ('json' in body) {
      return { json: yield* this.#masker.value(body.json) } as RecordedBody;
    }
    if ('form' in body) {
      const form: RecordedPart[] = [];
      for (const part of body.form) {
        form.push(yield* this.#inPart(part));
      }
      return { form };
    }
    const isForm = /x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
    const text = isForm
      ? (yield* this.#masker.text(`?${body.text}`)).slice(1)
      : yield* this.#masker.text(body.text, { isStructured: true });
    return { text };
  }

  *#inPart(part: RecordedPart): Steps<RecordedPart> {
    const name = this.#masker.name(part.name);
    if ('value' in part) {
      return { name, value: String(yield* this.#masker.member(part.name, part.value)) };
    }
    const head = Buffer.from(part.head, 'base64');
    const latin = head.toString('latin1');
    // The beginning of a text tells what is in it.
    const isText = head.every((byte) => byte >= 0x20 || /\s/.test(String.fromCharCode(byte)));
    const text = isText ? yield* this.#masker.text(latin, { isStructured: true }) : latin;
    return {
      ...part,
      name,
      fileName: yield* this.#masker.text(part.fileName),
      head: Buffer.from(text, 'latin1').subarray(0, head.length).toString('base64'),
    };
  }
}

/** Whether a place is a part of a name in a query or a form, and not all of it. */
function isPartOfName(text: string, { from, to }: { from: number; to: number }): boolean {
  const before = NAME_BEFORE.exec(text.slice(Math.max(0, from - LONGEST_NAME), from));
  const behind = before && NAME_BEHIND.exec(text.slice(to, to + LONGEST_NAME));
  return Boolean(behind && `${before?.[1]}${behind[1]}` !== '');
}
