import { type Steps, TextSteps } from '../steps.ts';
import type { AddPlace, FoundPlace } from './places.ts';
import { matchEnd } from './value-extent.ts';

/** The form of a secret that can be recognized without a name. */
interface SecretForm {
  /** A text to search for, because that is faster than matching the pattern everywhere. */
  marker: string;
  pattern: RegExp;
  /** Numbers of matched characters before and after the secret. */
  before?: number;
  after?: number;
}

const SECRET_FORMS: readonly SecretForm[] = [
  // A JSON Web Token begins with `{"` in base64.
  { marker: 'eyJ', pattern: /(?<!\w)eyJ[\w+/-]+(?:\.[\w-]*)*={0,2}/y },
  // The user and password of an address, up to the last `@` before its path.
  { marker: '://', pattern: /:\/\/[^\s/"'<>?#]*@/y, before: 3, after: 1 },
  { marker: 'whsec_', pattern: /(?<!\w)whsec_[\w+/=-]{8,}/y },
  {
    marker: '-----BEGIN',
    pattern:
      /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/y,
  },
];
const SCHEME = /\b(?:bearer|basic)\s+/gi;
const CREDENTIALS = /[\w.~+/=-]*/y;
/** Minimum lengths of credentials without and with a digit. Shorter texts are words that follow by chance. */
const [MIN_LENGTH, MIN_LENGTH_WITH_DIGIT] = [16, 6];
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}(?![\w-])/gi;

/** Adds secrets that are recognized by their form, without a name: tokens, credentials, logins in addresses, private keys. */
export function* addSecretForms(text: string, add: AddPlace): Steps<void> {
  for (const form of SECRET_FORMS) {
    yield* addForm(text, form, add);
  }
  yield* addCredentials(text, add);
}

function* addForm(text: string, { marker, pattern, before = 0, after = 0 }: SecretForm, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let at = text.indexOf(marker); at !== -1; ) {
    const end = matchEnd(pattern, text, at);
    if (end - after > at + before) {
      add({ from: at + before, to: end - after, kind: 'secret' });
    }
    at = text.indexOf(marker, Math.max(end, at + 1));
    if (steps.tryEndStep(at)) {
      yield;
    }
  }
}

function* addCredentials(text: string, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let from = endOfNext(SCHEME, text, 0), to = 0; from !== -1; from = endOfNext(SCHEME, text, to)) {
    to = matchEnd(CREDENTIALS, text, from);
    if (to - from >= MIN_LENGTH || (to - from >= MIN_LENGTH_WITH_DIGIT && /\d/.test(text.slice(from, to)))) {
      add({ from, to, kind: 'secret' });
    }
    if (steps.tryEndStep(to)) {
      yield;
    }
  }
}

/** The end of the next match of a pattern; -1 without a match. */
function endOfNext(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function emailsIn(text: string): FoundPlace[] {
  return text.includes('@')
    ? [...text.matchAll(EMAIL)].map(({ 0: found, index }) => ({ from: index, to: index + found.length, kind: 'email' }))
    : [];
}
