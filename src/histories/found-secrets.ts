import { isMembers, membersOf } from '../base/members.ts';
import { isSecretName, namedSecretsIn, partsIn } from '../base/text/redact.ts';
import type { CallEntry } from '../sessions/history-entry.ts';
import { JSON_ESCAPES, readAs } from './escapes.ts';
import { headerPairs } from './header-pairs.ts';

/** A secret, and the name that it stands below or behind. */
export interface FoundSecret {
  name: string;
  secret: string;
}

const CREDENTIALS = /:\/\/[^\s/@:"]*:([^\s/@"]+)@/g;

/** The values below secret names in JSON, texts and numbers as texts, and what is secret in addresses. */
export function secretsBelow(value: unknown): FoundSecret[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => secretsBelow(each));
  }
  if (!isMembers(value)) {
    return typeof value === 'string' ? secretsInAddresses(value) : [];
  }
  return Object.entries(membersOf(value)).flatMap(([name, member]) =>
    isSecretName(name) ? leavesOf(name, member) : secretsBelow(member),
  );
}

/** Whatever stands below a secret name, with the name that is nearest. */
function leavesOf(name: string, value: unknown): FoundSecret[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => leavesOf(name, each));
  }
  if (isMembers(value)) {
    return Object.entries(membersOf(value)).flatMap(([inner, member]) => leavesOf(inner, member));
  }
  return typeof value === 'string' || typeof value === 'number' ? [{ name, secret: String(value) }] : [];
}

function secretsInAddresses(text: string): FoundSecret[] {
  const passwords = [...text.matchAll(CREDENTIALS)].map(([, secret = '']) => ({ name: 'password', secret }));
  return [...passwords, ...(/^https?:/i.test(text) ? secretsInForm(queryOf(text)) : [])];
}

function secretsInForm(form: string): FoundSecret[] {
  return secretsBelow(Object.fromEntries(new URLSearchParams(form)));
}

/** What is secret in a call by its name, whether its body can be read or not. */
export function secretsOf({ headers, target, body }: CallEntry): FoundSecret[] {
  const isForm = headers.some((value) => value.toLowerCase().startsWith('application/x-www-form-urlencoded'));
  const pairs = headerPairs(headers).map(([name, value]) => ({ [name]: value.replace(/^(?:Bearer|Basic)\s+/i, '') }));
  return [
    ...textsOf(body).flatMap((text) => (isForm ? secretsInForm(text) : secretsInBody(text))),
    ...secretsInForm(queryOf(target)),
    ...secretsBelow(pairs),
  ];
}

/** A body as a text. One with zero bytes may be UTF-16, from either end of each character. */
export function textsOf(body: Buffer | null): string[] {
  if (!body) {
    return [];
  }
  const wide = body.includes(0) ? [body.toString('utf16le'), body.toString('utf16le', 1)] : [];
  return [body.toString('utf8'), ...wide];
}

function secretsInBody(text: string): FoundSecret[] {
  const json = jsonOf(text);
  const parts = partsIn(text).map(({ name, from, to }) => ({ [name]: text.slice(from, to) }));
  const passwords = [...text.matchAll(CREDENTIALS)].map(([, secret = '']) => ({ name: 'password', secret }));
  return [...(json === undefined ? secretsInBroken(text) : secretsBelow(json)), ...secretsBelow(parts), ...passwords];
}

/** Of a text that is not what it was meant to be, such as broken JSON. */
function secretsInBroken(text: string): FoundSecret[] {
  return namedSecretsIn(text).flatMap(({ name, from, to }) => {
    const value = text.slice(from, to);
    const secrets = /^[[{]/.test(value) ? textsIn(value) : [withoutQuotes(value)];
    return secrets.map((secret) => ({ name, secret: readAs(JSON_ESCAPES, secret) }));
  });
}

/** The texts in a list or an object, but for the names there. */
function textsIn(value: string): string[] {
  return [...value.matchAll(/"((?:[^"\\]|\\.)+)"(\s*:)?/g)].flatMap(([, text = '', colon]) =>
    colon === undefined ? [text] : [],
  );
}

function withoutQuotes(value: string): string {
  return value.trim().replace(/^\\?["']|\\?["']$/g, '');
}

function queryOf(address: string): string {
  const mark = address.indexOf('?');
  return mark === -1 ? '' : address.slice(mark + 1);
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
