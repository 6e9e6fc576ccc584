import type { Steps } from '../steps.ts';
import { addCards } from './card-numbers.ts';
import type { FoundPlace } from './places.ts';

/** Begins, as every JSON Web Token does, with `{"` in base64. */
const JSON_IN_BASE64 = /(?<!\w)eyJ[\w+/-]+(?:\.[\w-]*)*={0,2}/g;
const CREDENTIALS = /\b(bearer|basic)\s+([\w.~+/=-]+)/gi;
/** Shorter ones are credentials if they have a digit; otherwise they are words that follow by chance. */
const [LONG_CREDENTIALS, SHORT_CREDENTIALS] = [16, 6];
/** The user and password of an address, up to the last `@` before its path. */
const LOGIN = /:\/\/([^\s/"'<>?#]*)@/g;
const ENDPOINT_SECRET = /(?<!\w)whsec_[\w+/=-]{8,}/g;
const PRIVATE_KEY =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}(?![\w-])/gi;

/** Adds where a text has what looks like a secret, whatever its name: card numbers, tokens, credentials, logins of addresses, private keys. */
export function* addSecretLooks(text: string, found: FoundPlace[]): Steps<void> {
  addCards(text, found);
  yield;
  const add = (from: number, to: number) => found.push({ from, to, kind: 'secret' });
  if (text.includes('eyJ')) {
    for (const { 0: token, index } of text.matchAll(JSON_IN_BASE64)) {
      add(index, index + token.length);
    }
  }
  for (const { 0: whole, 2: credentials = '', index } of text.matchAll(CREDENTIALS)) {
    if (areCredentials(credentials)) {
      add(index + whole.length - credentials.length, index + whole.length);
    }
  }
  yield;
  if (text.includes('://')) {
    for (const { 1: login = '', index } of text.matchAll(LOGIN)) {
      if (login !== '') {
        add(index + 3, index + 3 + login.length);
      }
    }
  }
  if (text.includes('whsec_')) {
    for (const { 0: secret, index } of text.matchAll(ENDPOINT_SECRET)) {
      add(index, index + secret.length);
    }
  }
  if (text.includes('-----BEGIN')) {
    for (const { 0: key, index } of text.matchAll(PRIVATE_KEY)) {
      add(index, index + key.length);
    }
  }
}

function areCredentials(text: string): boolean {
  return text.length >= LONG_CREDENTIALS || (text.length >= SHORT_CREDENTIALS && /\d/.test(text));
}

export function emailsIn(text: string): FoundPlace[] {
  return text.includes('@')
    ? [...text.matchAll(EMAIL)].map(({ 0: found, index }) => ({ from: index, to: index + found.length, kind: 'email' }))
    : [];
}
