import { type Steps, TextSteps } from '../steps.ts';
import type { AddPlace, FoundPlace } from './places.ts';
import { matchEnd } from './value-extent.ts';

/** A secret that begins with a sign. */
interface Look {
  sign: string;
  pattern: RegExp;
  /** Characters of what the pattern matches that are in front of the secret, and behind it. */
  before?: number;
  behind?: number;
}

const LOOKS: readonly Look[] = [
  // Every JSON Web Token begins with `{"` in base64.
  { sign: 'eyJ', pattern: /(?<!\w)eyJ[\w+/-]+(?:\.[\w-]*)*={0,2}/y },
  // The user and password of an address, up to the last `@` before its path.
  { sign: '://', pattern: /:\/\/[^\s/"'<>?#]*@/y, before: 3, behind: 1 },
  { sign: 'whsec_', pattern: /(?<!\w)whsec_[\w+/=-]{8,}/y },
  {
    sign: '-----BEGIN',
    pattern:
      /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/y,
  },
];
const SCHEME = /\b(?:bearer|basic)\s+/gi;
const CREDENTIALS = /[\w.~+/=-]*/y;
/** Shorter ones are credentials if they have a digit; otherwise they are words that follow by chance. */
const [LONG_CREDENTIALS, SHORT_CREDENTIALS] = [16, 6];
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}(?![\w-])/gi;

/** Adds where a text has what looks like a secret, whatever its name: tokens, credentials, logins of addresses, private keys. */
export function* addSecretLooks(text: string, add: AddPlace): Steps<void> {
  for (const look of LOOKS) {
    yield* addLook(text, look, add);
  }
  yield* addCredentials(text, add);
}

function* addLook(text: string, { sign, pattern, before = 0, behind = 0 }: Look, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let at = text.indexOf(sign); at !== -1; ) {
    const end = matchEnd(pattern, text, at);
    if (end - behind > at + before) {
      add({ from: at + before, to: end - behind, kind: 'secret' });
    }
    at = text.indexOf(sign, Math.max(end, at + 1));
    if (steps.isEndAt(at)) {
      yield;
    }
  }
}

function* addCredentials(text: string, add: AddPlace): Steps<void> {
  const steps = new TextSteps();
  for (let from = endOfNext(SCHEME, text, 0), to = 0; from !== -1; from = endOfNext(SCHEME, text, to)) {
    to = matchEnd(CREDENTIALS, text, from);
    if (to - from >= LONG_CREDENTIALS || (to - from >= SHORT_CREDENTIALS && /\d/.test(text.slice(from, to)))) {
      add({ from, to, kind: 'secret' });
    }
    if (steps.isEndAt(to)) {
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
