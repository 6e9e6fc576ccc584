import { randomBytes } from 'node:crypto';
import { digitsOf, isCardNumber } from '../base/masking/card-numbers.ts';
import { Masker } from '../base/masking/masker.ts';
import type { PlaceKind } from '../base/masking/places.ts';
import { emailsIn } from '../base/masking/secret-forms.ts';
import { runInTurns } from '../base/run-in-turns.ts';
import type {
  RecordedAnswer,
  RecordedBody,
  RecordedHeader,
  RecordedPart,
} from '../base/schema/generated/recordings.ts';
import { runSteps, type Steps } from '../base/steps.ts';
import { headerOf } from './body.ts';
import { KnownValues } from './masks/known-values.ts';
import { personalNames, recordingNames } from './masks/names.ts';
import { publicValues } from './masks/public-values.ts';
import { StandIns } from './masks/stand-ins.ts';
import type { RecordedExchange } from './recording.ts';

/** The beginning of a URL up to `password@host`, which would otherwise count as an e-mail address. */
const LOGIN_BEFORE = /:\/\/[^\s/"'<>?#]*$/;
const MAX_LOGIN_LENGTH = 100;
/** A picture in base64, such as a QR code, can contain a token or an address, so it is masked. */
const PICTURES =
  /(?:(?<![\w+/-]|%2C)|(?<=%2C))(?:iVBORw0KGgo|\/9j\/|R0lGOD|PHN2Zy)[\w+/%-]{40,}={0,2}|(?<=data:image\/[\w.-]+\+xml;base64,)[\w+/-]{40,}={0,2}/g;
/** How many characters of a picture are kept, from its beginning. They contain its type and, in PNG and GIF, its size. */
const PICTURE_HEAD_LENGTH = 44;

/**
 * Masks secret and personal values in exchanges before they are written. Within one instance, the same value gets the same stand-in, so
 * that a token of one answer is recognised in a later call. The original value cannot be derived from the stand-in.
 */
export class Masks {
  /** The names of members with personal values. */
  readonly names: readonly string[];
  readonly #standIns: StandIns;
  readonly #known = new KnownValues();
  readonly #public = publicValues();
  readonly #masker: Masker;

  /** `names`: names of further personal members. */
  constructor(names: readonly string[] = [], key: Uint8Array = randomBytes(32)) {
    this.names = personalNames(names);
    this.#standIns = new StandIns(key);
    this.#masker = new Masker({
      names: recordingNames(names),
      keepsShape: true,
      standIn: (value, kind) => this.#standInFor(value, kind),
      replaceNumber: (value, kind) => this.#replaceNumber(value, kind),
      replaceName: (name) => this.#known.standInOf(name),
      prepare: withoutPictures,
      findMore: (text) =>
        emailsIn(text).filter(({ from }) => !LOGIN_BEFORE.test(text.slice(Math.max(0, from - MAX_LOGIN_LENGTH), from))),
      findKnown: (text) => this.#known.placesIn(text),
    });
  }

  maskExchange<Masked extends RecordedExchange>(exchange: Masked): Masked {
    return runSteps(this.#maskExchange(exchange));
  }

  /** Masks an exchange in steps, so that other work is not blocked. Only one exchange may be masked at a time. */
  maskInSteps<Masked extends RecordedExchange>(exchange: Masked): Promise<Masked> {
    return runInTurns(this.#maskExchange(exchange));
  }

  *#maskExchange<Masked extends RecordedExchange>(exchange: Masked): Steps<Masked> {
    this.#known.beginExchange();
    // The first pass only learns values, because the call may contain values that the answer shows to be secret.
    yield* this.#maskOnce(exchange);
    return yield* this.#maskOnce(exchange);
  }

  *#maskOnce<Masked extends RecordedExchange>(exchange: Masked): Steps<Masked> {
    const { target, headers, body, answer, error } = exchange;
    return {
      ...exchange,
      target: yield* this.#masker.maskText(target),
      ...(yield* this.#maskMessage({ headers, body })),
      answer: answer && { ...answer, ...(yield* this.#maskMessage(answer)) },
      error: error && (yield* this.#masker.maskText(error)),
    };
  }

  *#maskMessage({ headers, body }: Pick<NonNullable<RecordedAnswer>, 'headers' | 'body'>): Steps<{
    headers: RecordedHeader[];
    body: RecordedBody;
  }> {
    const maskedHeaders: RecordedHeader[] = [];
    for (const { name, value } of headers) {
      maskedHeaders.push({ name: this.#masker.maskName(name), value: yield* this.#masker.maskHeader(name, value) });
    }
    return { headers: maskedHeaders, body: yield* this.#maskBody(body, headers) };
  }

  *#maskBody(body: RecordedBody, headers: readonly RecordedHeader[]): Steps<RecordedBody> {
    if (body === null || 'bytes' in body) {
      return body;
    }
    if ('json' in body) {
      return { json: yield* this.#masker.maskValue(body.json) } as RecordedBody;
    }
    if ('form' in body) {
      const form: RecordedPart[] = [];
      for (const part of body.form) {
        form.push(yield* this.#maskPart(part));
      }
      return { form };
    }
    const isForm = /x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
    const text = isForm
      ? (yield* this.#masker.maskText(`?${body.text}`)).slice(1)
      : yield* this.#masker.maskText(body.text, { isStructured: true });
    return { text };
  }

  *#maskPart(part: RecordedPart): Steps<RecordedPart> {
    const name = this.#masker.maskName(part.name);
    if ('value' in part) {
      return { name, value: String(yield* this.#masker.maskMember(part.name, part.value)) };
    }
    // The beginning of a text is content that must be masked; that of a picture only shows its type.
    const isText = Buffer.from(part.head, 'base64').every(
      (byte) => byte >= 0x20 || /\s/.test(String.fromCharCode(byte)),
    );
    return { ...part, name, fileName: yield* this.#masker.maskText(part.fileName), head: isText ? '' : part.head };
  }

  #standInFor(value: string, kind: PlaceKind): string {
    const isPublic = this.#public.has(value) || (/^\d[\d\s-]+$/.test(value) && this.#public.has(digitsOf(value)));
    if (value === '' || isPublic) {
      return value;
    }
    const standIn = this.#known.standInOf(value) ?? this.#standIns.forText(value, kind);
    // A known value is learned again, because within words, only values of the current exchange are searched for.
    if (kind !== 'proof') {
      this.#known.learn(value, standIn, {
        isPersonal: kind === 'email' || (kind === 'personal' && !isCardNumber(digitsOf(value))),
      });
      this.#learnPassword(value);
    }
    return standIn;
  }

  #replaceNumber(value: number, kind: PlaceKind | undefined): number {
    const text = String(value);
    const replacement = this.#known.standInOf(text);
    if ((kind === undefined && replacement === undefined) || this.#public.has(text)) {
      return value;
    }
    // The stand-in of a secret text is not a number.
    const standIn = Number.isFinite(Number(replacement)) ? Number(replacement) : this.#standIns.forNumber(value);
    if (kind !== 'proof') {
      this.#known.learn(text, replacement ?? String(standIn), { isPersonal: kind === 'personal' });
    }
    return standIn;
  }

  /** Learns the password in credentials of the scheme `Basic`. */
  #learnPassword(credentials: string): void {
    const [, password = ''] =
      /^[\x20-\x7e]*?:([\x20-\x7e]+)$/.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    if (password !== '' && !this.#public.has(password)) {
      this.#known.learn(password, this.#standIns.forText(password, 'secret'), { isPersonal: false });
    }
  }
}

/** A text of the same length, with the content of its pictures removed. */
function withoutPictures(text: string): string {
  return text.replace(
    PICTURES,
    (picture) => picture.slice(0, PICTURE_HEAD_LENGTH) + picture.slice(PICTURE_HEAD_LENGTH).replace(/[^=]/g, 'A'),
  );
}
