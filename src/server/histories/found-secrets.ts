import { headerPairs } from '../../base/header-pairs.ts';
import { Masker } from '../../base/masking/masker.ts';
import { SECRET_NAMES } from '../../base/masking/secret-names.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import type { CallEntry } from '../sessions/history-entry.ts';

/** A secret, and the name that it was found by; a card number, and what else looks like a secret, has none. */
export interface FoundSecret {
  name: string;
  secret: string;
  isCard: boolean;
}

/** Headers that let a caller in here, and are not kept elsewhere. */
export const DROPPED_HEADERS = /^(?:cookie|x-sandbox-control-token)$/i;

/** The secrets in a JSON value, texts and numbers as texts. */
export function secretsBelow(value: unknown): FoundSecret[] {
  return secretsFoundBy((masker) => masker.value(value));
}

/** The secrets in an answer, which may be JSON or a page. */
export function secretsIn(text: string): FoundSecret[] {
  return secretsFoundBy((masker) => readText(masker, text));
}

/** The secrets in a call, whether its body can be read or not. */
export function secretsOf({ headers, target, body }: CallEntry): FoundSecret[] {
  const isForm = headers.some((value) => value.toLowerCase().startsWith('application/x-www-form-urlencoded'));
  return secretsFoundBy(function* (masker) {
    for (const text of textsOf(body)) {
      yield* isForm ? masker.text(`?${text}`) : readText(masker, text);
    }
    yield* masker.text(target);
    for (const [name, value] of headerPairs(headers)) {
      if (!DROPPED_HEADERS.test(name)) {
        yield* masker.header(name, value);
      }
    }
  });
}

function readText(masker: Masker, text: string): Steps<unknown> {
  const json = jsonOf(text);
  return typeof json === 'object' ? masker.value(json) : masker.text(text, { isStructured: true });
}

/** Bundles are found in by the same reading that masks the request log; what it would mask is collected. */
function secretsFoundBy(read: (masker: Masker) => Steps<unknown>): FoundSecret[] {
  const found: FoundSecret[] = [];
  const masker = new Masker({
    names: SECRET_NAMES,
    keepsShape: true,
    replace(secret, kind, name = '') {
      found.push({ name, secret, isCard: kind === 'card' });
      return secret;
    },
    replaceNumber(value, kind, name = '') {
      if (kind !== undefined) {
        found.push({ name, secret: String(value), isCard: kind === 'card' });
      }
      return value;
    },
  });
  runSteps(read(masker));
  return found;
}

/** A body as a text. One with zero bytes may be UTF-16, from either end of each character. */
function textsOf(body: Buffer | null): string[] {
  if (!body) {
    return [];
  }
  const wide = body.includes(0) ? [body.toString('utf16le'), body.toString('utf16le', 1)] : [];
  return [body.toString('utf8'), ...wide];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
