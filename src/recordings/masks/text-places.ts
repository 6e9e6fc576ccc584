import { isDeeperThan } from '../../base/schema/depth.ts';
import { looksIn, namedSecretsIn, partsIn, speaksOfSecret } from '../../base/text/redact.ts';
import { passesLuhn } from '../../domain/channels/redirect/cards.ts';
import type { Kind, Names } from './names.ts';
import { decoded, FORM, type Spelling } from './reading.ts';

/** A part of a text that must not be kept, and what it is: behind a name, or by its looks. */
export interface FoundPlace {
  from: number;
  to: number;
  kind: Kind | 'card' | 'email';
  /** How it is written, unless as it reads. */
  spelling?: Spelling;
}

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}(?![\w-])/gi;
/** The user and password of an address. */
const LOGIN = /(?<=:\/\/)[^\s/@"'<>]+(?=@)/g;
/** A name in a query, a form or a sentence, and a value; that of another name may have a query in it. */
const PAIR = /(?<=^|[?&;#\s])([^=&;?#\s"'<>]+)=/g;
/** With blanks, if another name follows. */
const PAIRED = /[^&;#\s"'<>]*(?:(?:\x20[^&;#\s"'<>=?:]+){1,9}(?=&[\w.%-]+=))?/y;
/** In a path. */
const PAIRED_IN_PATH = /[^&;#\s"'<>/?]*/y;
/** Secrets of endpoints, as the sandbox makes them. */
const ENDPOINT_SECRET = /(?<!\w)whsec_[\w+/=-]{8,}/g;
/** Card numbers with dots, which in the request log's own patterns would be decimals, too. */
const DOTTED_CARD = /(?<![\d.])(?:\d{4}\.){3}\d{4}(?:\.\d{1,3})?(?!\.?\d)|(?<![\d.])\d{4}\.\d{6}\.\d{5}(?!\.?\d)/g;
/** What stands before and behind a part of a name in a query or a form. */
const NAME_BEFORE = /[?&;]([^=&;?#\s"'<>]*)$/;
const NAME_BEHIND = /^([^=&;?#\s"'<>]*)=/;
const LONGEST_NAME = 100;
const SHORTEST_CARD = 13;
/** An element of XML without others in it. */
const ELEMENT = /<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[([\s\S]*?)\]\]>|([^<]+))/dg;
/** Milliseconds since 1970, which pass for a card number by chance. */
const TIME = /^1\d{12}$/;
/** Words that happen to follow `Bearer` or `Basic` are shorter. */
const SHORTEST_CREDENTIALS = 16;

/** What is found in any text. */
export function placesInAny(text: string, names: Names): FoundPlace[] {
  const logins = [...matchesOf(LOGIN, text, 'secret'), ...matchesOf(ENDPOINT_SECRET, text, 'secret')];
  const isOfLogin = ({ from }: FoundPlace) => logins.some((login) => from >= login.from && from < login.to);
  const emails = emailsIn(text).filter((email) => !isOfLogin(email));
  const dotted = matchesOf(DOTTED_CARD, text, 'card').filter(({ from, to }) => isCard(text.slice(from, to)));
  return [...pairsIn(text, names), ...logins, ...looks(text), ...dotted, ...emails];
}

/** What is found besides in a text that is no JSON, such as XML or JSON that is cut: rather too much than too little. */
export function placesInBroken(text: string, names: Names): FoundPlace[] {
  const kindOf = (name: string) => names.kindOf(name) ?? (speaksOfSecret(name) ? 'secret' : undefined);
  const isWanted = (name: string) => kindOf(name) !== undefined;
  const parts = /content-disposition/i.test(text) ? partsIn(text) : [];
  const named = namedSecretsIn(text, isWanted).map((place) => withoutQuotes(place, text));
  const all = [...named, ...parts, ...elementsIn(text)].flatMap(({ name, from, to }) => {
    const kind = kindOf(name);
    return kind === undefined || to <= from ? [] : [{ from, to, kind }];
  });
  const numbers = looksIn(text).flatMap(({ look, from, to }) =>
    look === 'card' ? [{ from, to, kind: 'card' as const }] : [],
  );
  return [...all.filter(({ from, to }) => !/^(?:null|true|false)$/.test(text.slice(from, to))), ...numbers];
}

/** Whether a place is a part of a name in a query or a form, and not all of it. */
export function isPartOfName(text: string, { from, to }: { from: number; to: number }): boolean {
  const before = NAME_BEFORE.exec(text.slice(Math.max(0, from - LONGEST_NAME), from));
  const behind = before && NAME_BEHIND.exec(text.slice(to, to + LONGEST_NAME));
  return Boolean(behind && `${before?.[1]}${behind[1]}` !== '');
}

/** Whether digits are those of a card, and not of a time or a number by chance. */
export function isCard(text: string): boolean {
  const digits = digitsOf(text);
  return /^\d{13,19}$/.test(digits) && passesLuhn(digits) && !TIME.test(text);
}

/** The digits of a card number, without what may stand between them. */
export function digitsOf(text: string): string {
  return text.replace(/%20|%C2%A0|\\u00a0/gi, '').replace(/\D/g, '');
}

/** JSON that stands in a text of its own; undefined for any other text. */
export function jsonInText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !isDeeperThan(DEEPEST, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
const DEEPEST = 100;

function looks(text: string): FoundPlace[] {
  return looksIn(text).flatMap(({ look, from, to }): FoundPlace[] => {
    if (look === 'card') {
      return cardsIn(text.slice(from, to)).map((card) => ({
        from: from + card.from,
        to: from + card.to,
        kind: 'card',
      }));
    }
    if (look === 'token') {
      return [{ from, to: to + (/^={1,2}/.exec(text.slice(to, to + 2))?.[0].length ?? 0), kind: 'secret' }];
    }
    return to - from >= SHORTEST_CREDENTIALS ? [{ from, to, kind: 'secret' }] : [];
  });
}

/** Cards in a run of digits, which may have other numbers before and behind, such as an expiry. */
function cardsIn(run: string): { from: number; to: number }[] {
  let digits = 0;
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: group, index }) => {
    digits += group.length;
    return { from: index, to: index + group.length, digits };
  });
  const found: { from: number; to: number }[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const from = groups[first]?.from ?? 0;
    const before = groups[first - 1]?.digits ?? 0;
    const last = groups.findLastIndex(
      (group, index) => index >= first && group.digits - before >= SHORTEST_CARD && isCard(run.slice(from, group.to)),
    );
    if (last !== -1) {
      found.push({ from, to: groups[last]?.to ?? from });
      first = last;
    }
  }
  return found;
}

function emailsIn(text: string): FoundPlace[] {
  return text.includes('@') ? matchesOf(EMAIL, text, 'email') : [];
}

function matchesOf(pattern: RegExp, text: string, kind: FoundPlace['kind']): FoundPlace[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length, kind }));
}

function pairsIn(text: string, names: Names): FoundPlace[] {
  const query = text.indexOf('?');
  return [...text.matchAll(PAIR)].flatMap(({ 0: found, 1: name = '', index }): FoundPlace[] => {
    const kind = names.kindOf(decoded(name));
    const from = index + found.length;
    const isInPath = text.charAt(index - 1) === ';' && (query === -1 || index <= query);
    const paired = isInPath ? PAIRED_IN_PATH : PAIRED;
    paired.lastIndex = from;
    const [value = ''] = kind === undefined ? [] : (paired.exec(text) ?? []);
    return kind === undefined || value === '' ? [] : [{ from, to: from + value.length, kind, spelling: FORM }];
  });
}

/** What stands in quotes behind a name, such as in a query of GraphQL. */
export function placesInQuotes(text: string, names: Names): FoundPlace[] {
  const found = /["']/.test(text) ? namedSecretsIn(text, (name) => names.kindOf(name) !== undefined) : [];
  return found
    .filter(({ from }) => /["']/.test(text.charAt(from)))
    .map(({ name, from, to }) => withoutQuotes({ from, to, kind: names.kindOf(name) ?? 'secret' }, text));
}

function elementsIn(text: string): { name: string; from: number; to: number }[] {
  return [...text.matchAll(ELEMENT)].map((element) => {
    const [from, to] = element.indices?.[2] ?? element.indices?.[3] ?? [0, 0];
    return { name: element[1] ?? '', from, to };
  });
}

function withoutQuotes<Place extends { from: number; to: number }>(place: Place, text: string): Place {
  const [whole, quote = '', end = ''] =
    /^(\\?["'])?[\s\S]*?(\\?["']|\s*)$/.exec(text.slice(place.from, place.to)) ?? [];
  return whole === undefined || whole.length < quote.length + end.length
    ? place
    : { ...place, from: place.from + quote.length, to: place.to - end.length };
}
