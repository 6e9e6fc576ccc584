/** Stands for a secret. */
export const MASK = '***';

/** Members whose values are secrets wherever they stand, in lower case, without `-`, `_` and blanks. */
const SECRET_NAMES = [
  'merchantApiKey',
  'merchantKey',
  'apiKey',
  'token',
  'accessToken',
  'paymentToken',
  'recurringPaymentToken',
  'authorization',
  'secret',
  'password',
  'pin',
  'otp',
  'cardNumber',
  'pan',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'securityCode',
].map((name) => name.toLowerCase());
const SECRETS: ReadonlySet<string> = new Set(SECRET_NAMES);
/** Ends of names of the caller's own, such as `client_secret` and `x-api-key`. */
const SECRET_ENDS =
  /(?:(?:api|merchant|secret|private|access|signing)key|(?:access|auth|refresh|id|session)token|secret|password|authorization|cardnumber|cv[vc]2?)$/;
/** Headers that authorise, in lower case. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-sandbox-control-token',
]);

/** What was found out about names, as the same few come with every request. */
const verdicts = new Map<string, boolean>();
const MOST_VERDICTS = 1000;

/**
 * A copy of a JSON value with every secret masked, whatever its type, every card number, and whatever looks like a token;
 * bytes become their count. Empty secrets and null stay: they tell something and give nothing away. Typed as what came, though a
 * masked member is a text.
 */
export function redact<Value>(value: Value): Value;
export function redact(value: unknown): unknown {
  if (typeof value === 'string') {
    return redactTokens(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown) => redact(each));
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    const isMasked = (member ?? '') !== '' && (isSecretName(key) || isCardNumber(key, member));
    const safe = isMasked ? MASK : redact(member);
    if (key === '__proto__') {
      Object.defineProperty(copy, key, { value: safe, enumerable: true, configurable: true, writable: true });
    } else {
      copy[redactTokens(key)] = safe;
    }
  }
  return copy;
}

/** Request headers with those masked that authorise, and whatever looks like a token in the others. */
export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    copy[redactTokens(name)] =
      SECRET_HEADERS.has(name.toLowerCase()) || isSecretName(name) ? MASK : redactTokens(String(value));
  }
  return copy;
}

/** Broken texts have broken names, so rather too many than too few. */
const SPEAKS_OF_SECRET = /key|token|secret|passw|authori[sz]|card|cvv|cvc|security|^(?:pin|pan|otp)$/i;
export const speaksOfSecret = (name: string) => SPEAKS_OF_SECRET.test(name);
/** A name and what leads to its value in JSON, a form, YAML or XML. */
const NAME = /(?<![\w-])([\w-]+)(\\?["'])?\s*[:=>]\s*/g;
/** What is between the name of a block of YAML and its lines. */
const BLOCK = /\s*:[^\S\n]*(?:[|>][+-]?\d?)?[^\S\n]*\n/y;
const NEXT_NAME = /[\w.-]+\s*[:=]/y;
/** What follows a quote that really ends a value: what ends a list, the line or the text, or another name. */
const ENDED = String.raw`(?=\s*(?:[,)}\]]|;(?!\S)|$)|[^\S\n]*\n|\s+[\w.-]+\s*[=:])`;
/** A value in quotes up to one that really ends it. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': new RegExp(String.raw`\\?"(?:\\.|[^\\])*?"${ENDED}`, 'sy'),
  "'": new RegExp(String.raw`\\?'(?:\\.|[^\\])*?'${ENDED}`, 'sy'),
};
/** Any other value: from a quote to the end of the line, or of the text; a list; an object; or bare. */
const VALUE = /\\?"(?:[^"]*$|[^\n]*)|\\?'(?:[^']*$|[^\n]*)|\[[^\]]*|\{[^}]*|[^"',;&<>{}[\]\r\n]+/y;
/** A part of a multipart form: its name, the rest of its head, and its content, up to the next boundary. */
const PART =
  /\bname=(?:"([^"\r\n]*)"|([^\s;"]+))[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n((?:[\s\S]*?(?=\r?\n--))|[\s\S]*)/dgi;
const BEARER = /(\b(?:Bearer|Basic)\s+)[\w.~+/=-]+/gi;
/** Begins, as every JSON Web Token does, with `{"` in base64, at the start of a word or after an escape. */
const JWT = /(?:(?<!\w)|(?<=%[\dA-Fa-f]{2}|\\[bfnrt]))eyJ[\w-]+(?:(?:\.|%(?:25)*2[Ee])[\w-]*)*/g;
/** What people and programs put between the digits of a card number: blanks and dashes of any kind, also as addresses and JSON have them. */
const BETWEEN = String.raw`(?:[^\S\r\n]|\p{Pd}|\+|%20|%C2%A0|\\t|\\u00a0)`;
const CARD = new RegExp(String.raw`(?<!\d)\d(?:${BETWEEN}{0,2}\d){12,18}(?!\.?\d)`, 'giu');
/** Characters of a card number with all that may stand between its digits. */
const LONGEST_CARD = 200;
const WHOLE_CARD = new RegExp(String.raw`^${BETWEEN}*\d(?:${BETWEEN}*\d){11,18}${BETWEEN}*$`, 'iu');

/** A text that could not be read, such as broken JSON, with whatever looks like a secret or a card number masked. */
export function redactText(text: string): string {
  const withoutNamed = masked(text, namedSecretsIn(text));
  const secretParts = partsIn(withoutNamed).filter(({ name, from, to }) => SPEAKS_OF_SECRET.test(name) && to > from);
  return masked(withoutNamed, secretParts).replace(BEARER, `$1${MASK}`).replace(JWT, MASK).replace(CARD, MASK);
}

/** A text with whatever looks like an access token masked, wherever it stands. */
export function redactTokens(text: string): string {
  return text.includes('eyJ') ? text.replace(JWT, MASK) : text;
}

/** An address, or what was meant as one, with its credentials masked: all that stands before its last `@`. */
export function redactCredentials(address: string): string {
  return address.replace(/^("?(?:\w+:\/\/)?).*@/s, `$1${MASK}@`);
}

/** A place in a text that has a name. */
export interface NamedPlace {
  name: string;
  from: number;
  to: number;
}

function masked(text: string, places: readonly NamedPlace[]): string {
  let copy = '';
  let copied = 0;
  for (const { from, to } of places) {
    copy += text.slice(copied, from) + MASK;
    copied = to;
  }
  return copy + text.slice(copied);
}

/** The contents of the parts of a multipart form. */
export function partsIn(text: string): NamedPlace[] {
  return [...text.matchAll(PART)].map((part) => {
    const [, quoted, bare = ''] = part;
    const [from, to] = part.indices?.[3] ?? [0, 0];
    return { name: quoted ?? bare, from, to };
  });
}

/**
 * What stands behind names that speak of a secret, or of what else is asked for, in a text that could not be read: the place of each,
 * with its quotes.
 */
export function namedSecretsIn(text: string, isAskedFor = speaksOfSecret): NamedPlace[] {
  const found: NamedPlace[] = [];
  const unended = new Set<string>();
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const [whole, name = '', quote = ''] = match;
    if (!isAskedFor(name)) {
      continue;
    }
    const block = quote === '' ? blockBelow(text, match.index + name.length) : undefined;
    const place = block ?? valueAt(text, match.index + whole.length, whole.includes('\n'), unended);
    if (place) {
      found.push({ name, ...place });
      NAME.lastIndex = place.to;
    }
  }
  return found;
}

/** `unended`: the quotes that nothing ended up to the end of the text, so that nobody looks for that again. */
function valueAt(
  text: string,
  from: number,
  isBelow: boolean,
  unended: Set<string>,
): { from: number; to: number } | undefined {
  NEXT_NAME.lastIndex = from;
  if (isBelow && NEXT_NAME.test(text)) {
    // A name without a value, and the next line.
    return undefined;
  }
  const quote = text.charAt(text.charAt(from) === '\\' ? from + 1 : from);
  const quoted = QUOTED[quote];
  if (quoted && !unended.has(quote)) {
    quoted.lastIndex = from;
    if (quoted.test(text)) {
      return { from, to: quoted.lastIndex };
    }
    unended.add(quote);
  }
  VALUE.lastIndex = from;
  return VALUE.test(text) ? { from, to: VALUE.lastIndex } : undefined;
}

/** In YAML, a value may be all lines below its name that are further in. */
function blockBelow(text: string, colon: number): { from: number; to: number } | undefined {
  BLOCK.lastIndex = colon;
  if (!BLOCK.test(text)) {
    return undefined;
  }
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', colon) + 1, colon)) ?? [];
  const begin = BLOCK.lastIndex;
  let to = begin;
  for (let at = begin; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    if (line.trim() !== '' && !(line.startsWith(indent) && /^[ \t]/.test(line.slice(indent.length)))) {
      break;
    }
    at += line.length + 1;
    to = line.trim() === '' ? to : at - 1;
  }
  const from = begin + (/^\s*/.exec(text.slice(begin, to))?.[0].length ?? 0);
  return to > from ? { from, to: from + text.slice(from, to).trimEnd().length } : undefined;
}

/** Its digits may look like a card number by chance. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** What looks like a secret wherever it stands: card numbers, and access tokens. */
export function secretLooksIn(text: string): { cards: string[]; tokens: string[] } {
  return { cards: text.replace(UUID, '\n').match(CARD) ?? [], tokens: text.match(JWT) ?? [] };
}

/** Where a text has what looks like a secret, and what: the number of a card, a token, or what stands behind `Bearer` or `Basic`. */
export function looksIn(text: string): { look: 'card' | 'token' | 'credentials'; from: number; to: number }[] {
  const placesOf = (look: 'card' | 'token', pattern: RegExp, within: string) =>
    [...within.matchAll(pattern)].map(({ 0: found, index }) => ({ look, from: index, to: index + found.length }));
  return [
    ...[...text.matchAll(BEARER)].map(({ 0: found, 1: scheme = '', index }) => {
      return { look: 'credentials' as const, from: index + scheme.length, to: index + found.length };
    }),
    ...(text.includes('eyJ') ? placesOf('token', JWT, text) : []),
    ...placesOf(
      'card',
      CARD,
      text.replace(UUID, (uuid) => '\n'.repeat(uuid.length)),
    ),
  ];
}

export function isSecretName(name: string): boolean {
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    const plain = name.toLowerCase().replace(/[-_\s]/g, '');
    verdict = SECRETS.has(plain) || SECRET_ENDS.test(plain);
    if (verdicts.size < MOST_VERDICTS && name.length < 100) {
      verdicts.set(name, verdict);
    }
  }
  return verdict;
}

/** A card's own object calls it just `number`. Objects are never asked for their text: what came may break that. */
export function isCardNumber(name: string, value: unknown): boolean {
  const isText = typeof value === 'string' || typeof value === 'number';
  return name === 'number' && isText && `${value}`.length <= LONGEST_CARD && WHOLE_CARD.test(`${value}`);
}
