import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

/** Names with a meaning in JavaScript or JSON Schema, or that a careless copy loses. */
export const NAMES = [
  ...['toString', 'valueOf', 'toJSON', 'then', 'length', 'number', 'id', '__proto__', 'constructor', 'prototype'],
  ...[
    'hasOwnProperty',
    '$ref',
    'name',
    'token',
    '',
    '\ud800',
    'a.b',
    '0',
    'bytes',
    'message',
    '__defineGetter__',
    '-1',
  ],
];
const TEXTS = [
  ...['', ' ', '0', '-1', '1e999', 'NaN', 'null', 'undefined', '{{name}}', '{{#each this}}{{/each}}', '#declined', '%'],
  ...[
    '\0',
    '\ud800',
    '\udc00\ud800',
    '\u202e',
    'שלום',
    '👩‍👩‍👧',
    '../../etc/passwd',
    'P1D',
    'P999999Y',
    '2026-01-01T00:00:00Z',
  ],
  ...['<script>', "' OR 1=1", '\r\nX-Made: up', '(a+)+$', 'http://127.0.0.1:1/', 'a;frame-ancestors *'],
  ...['4111111111111111', '9'.repeat(400), 'é'.repeat(3000)],
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }));
export const text = fc.oneof(
  fc.constantFrom(...TEXTS, ...NAMES),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
export const hostile = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 16, arbitrary: scalar },
    { weight: 4, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    {
      weight: 8,
      arbitrary: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => objectOf(members)),
    },
    {
      weight: 1,
      arbitrary: fc.record({ levels: fc.integer({ min: 30, max: 1500 }), isArray: fc.boolean() }).map(nested),
    },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 90, max: 3000 }).map((count) => Array.from({ length: count }, () => ({}))),
    },
  ),
})).value;

/** As JSON.parse creates it: `__proto__` is a member like any other. */
function objectOf(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members);
}

function nested({ levels, isArray }: { levels: number; isArray: boolean }): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) {
    value = isArray ? [value] : objectOf([['a', value]]);
  }
  return value;
}

/** A body with up to three of its members, and perhaps one inside them, replaced by hostile values. */
export function mutateBody(body: object): fc.Arbitrary<object> {
  const members = Object.keys(body);
  const change = fc.tuple(members.length === 0 ? name : fc.oneof(fc.constantFrom(...members), name), hostile);
  const inside = fc.tuple(fc.nat(), hostile);
  return fc.tuple(fc.array(change, { maxLength: 3 }), fc.option(inside)).map(([changes, deep]) => {
    const copy = structuredClone(body);
    if (deep) {
      mutateInside(copy, ...deep);
    }
    return { ...copy, ...objectOf(changes) };
  });
}

/** Replaces a member of a nested object or list. */
export function mutateInside(value: object, place: number, fresh: unknown): void {
  const below = Object.entries(value).filter(([, each]) => typeof each === 'object' && each !== null);
  const [key, inner] = below[place % Math.max(1, below.length)] ?? [];
  if (key === undefined) {
    return;
  }
  const keys = Object.keys(inner);
  if (keys.length > 0 && place % 3 > 0) {
    Object.assign(inner, { [keys[place % keys.length] ?? '']: fresh });
  } else {
    mutateInside(inner, Math.floor(place / 2), fresh);
  }
}
