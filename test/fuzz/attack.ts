import fc from 'fast-check';
import { loadFixtures } from '../../src/config/fixtures.ts';
import { CONTROL_OPERATIONS } from '../../src/control-api/operations.ts';
import { OPERATIONS } from '../../src/merchant-api/operations.ts';
import { routesOf } from '../../src/merchant-api/routes.ts';
import { payerPages } from '../../src/payer-pages/payer-pages.ts';
import { exampleOf, MERCHANT } from '../interface/examples.ts';
import { CONTROL_BODIES } from './control-bodies.ts';

/** One request, well made or not. */
export interface Attack {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** An operation or page as it is attacked: where it is, and a body that it would take. */
interface Target {
  method: string;
  path: string;
  body: object | undefined;
  type: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** Every route of every entry point's own table. */
async function targets(): Promise<Target[]> {
  const examples = new Map(
    OPERATIONS.map(({ name, request }) => [name, request === null ? undefined : exampleOf(request, MERCHANT)]),
  );
  const merchant = routesOf(await loadFixtures(undefined)).map(({ method, path, operation }) => {
    const type = operation.body === 'multipart' ? 'multipart/form-data; boundary=x' : 'application/json';
    return { method, path, type, body: examples.get(operation.name) };
  });
  const control = CONTROL_OPERATIONS.map(({ method, path, request }) => {
    const body = request === null ? undefined : CONTROL_BODIES[request];
    return { method, path: `/_sandbox${path}`, type: 'application/json', body };
  });
  const pages = payerPages().routes();
  const payer = pages.map(({ method, path }) => {
    const body = method === 'POST' ? { action: 'approve', formToken: 'x', paymentCode: '1', pin: '1234' } : undefined;
    return { method, path: `/pay${path}`, type: FORM, body };
  });
  // Each entry point gets its share, however many routes it has.
  return [...merchant, ...repeat(control, 2), ...repeat(payer, 3)];
}

function repeat<T>(items: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => items).flat();
}

/** Names that mean something to JavaScript, to JSON Schema, or to a careless copy. */
const NAMES = [
  ...['toString', 'valueOf', 'toJSON', 'then', 'length', 'number', 'id', '__proto__', 'constructor', 'prototype'],
  ...['hasOwnProperty', '$ref', 'name', 'token', '', '\ud800', 'a.b', '0', 'bytes', 'message'],
];
const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    'null',
    'undefined',
    '{{name}}',
    '{{#each this}}{{/each}}',
    '#slow',
    '%',
    '\0',
  ],
  ...[
    '\ud800',
    '\u202e',
    '../../etc/passwd',
    'P1D',
    'P999999Y',
    '2026-01-01T00:00:00Z',
    '9'.repeat(400),
    'é'.repeat(3000),
  ],
  ...[
    '<script>',
    "' OR 1=1",
    '\r\nX-Made: up',
    '(a+)+$',
    'http://127.0.0.1:1/',
    'a;frame-ancestors *',
    '4111111111111111',
  ],
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }));
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string(), fc.string({ unit: 'binary' }));
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
export const hostile = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => objectOf(members)),
    fc.record({ levels: fc.integer({ min: 30, max: 1500 }), isArray: fc.boolean() }).map(nested),
    fc.integer({ min: 90, max: 3000 }).map((count) => Array.from({ length: count }, () => ({}))),
  ),
})).value;

/** As JSON has it: `__proto__` is a member like any other. */
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

/** A body with some of its members put in place of others, anywhere in it. */
function spoilt(body: object): fc.Arbitrary<object> {
  const members = Object.keys(body);
  const change = fc.tuple(members.length === 0 ? name : fc.oneof(fc.constantFrom(...members), name), hostile);
  const inside = fc.tuple(fc.nat(), hostile);
  return fc.tuple(fc.array(change, { maxLength: 3 }), fc.option(inside)).map(([changes, deep]) => {
    const copy = structuredClone(body);
    if (deep) {
      spoilInside(copy, ...deep);
    }
    return { ...copy, ...objectOf(changes) };
  });
}

/** Puts a value in the place of one that stands further down. */
export function spoilInside(value: object, place: number, fresh: unknown): void {
  const below = Object.entries(value).filter(([, each]) => typeof each === 'object' && each !== null);
  const [key, inner] = below[place % Math.max(1, below.length)] ?? [];
  if (key === undefined) {
    return;
  }
  const keys = Object.keys(inner);
  if (keys.length > 0 && place % 3 > 0) {
    Object.assign(inner, { [keys[place % keys.length] ?? '']: fresh });
  } else {
    spoilInside(inner, Math.floor(place / 2), fresh);
  }
}

const encoded: fc.Arbitrary<(value: object, type: string) => string | Buffer> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(encode) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 200 }).map((at) => (value: object, type: string) => encode(value, type).slice(0, at)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map((count) => () => 'a=1&'.repeat(count)) },
  { weight: 1, arbitrary: fc.nat({ max: 9000 }).map((levels) => (value: object) => deepened(value, levels)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 60, max: 1100 }).map((kilobytes) => () => `{"a":"${'x'.repeat(kilobytes * 1024)}"}`),
  },
);

/** Deeper than a value could be written by a library. */
function deepened(value: object, levels: number): string {
  const members = Object.keys(value).map(
    (key) => `${JSON.stringify(key)}:${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  );
  return `{${members.join()}}`;
}

function encode(value: object, type: string): string {
  if (type === FORM) {
    return Object.entries(value)
      .map(([key, each]) => `${plain(key)}=${plain(each)}`)
      .join('&');
  }
  if (type.startsWith('multipart')) {
    const parts = Object.entries(value).map(
      ([key, each]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${wellFormed(each)}\r\n`,
    );
    return `${parts.join('')}--x--\r\n`;
  }
  return JSON.stringify(value);
}

function wellFormed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plain(value: unknown): string {
  return encodeURIComponent(wellFormed(value).replace(/[\ud800-\udfff]/g, '?'));
}

/** What fits into a request's head: Node's own client takes no more than that. */
const headText = text.map((each) => each.replace(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 200));
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json',
        FORM,
        `${FORM}; charset=utf-16`,
        'text/plain',
        'application/json; charset=x',
        '/',
      ),
      headText,
    ),
    'content-encoding': fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'x', ''),
    authorization: fc.oneof(headText, fc.constantFrom('Bearer ', 'Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.e30.')),
    'x-sandbox-session': fc.oneof(fc.constantFrom('1', '__proto__', 'constructor', 'a'.repeat(65)), headText),
    'x-sandbox-scenario': fc.oneof(fc.constantFrom('auto-approve', 'declined', '__proto__', 'toString'), headText),
    'last-event-id': headText,
    origin: fc.oneof(fc.constantFrom('null', 'http://evil.test', 'http://[::'), headText),
    host: fc.oneof(fc.constantFrom('localhost', '[', 'a b'), headText),
    accept: headText,
    expect: fc.constantFrom('100-continue'),
  },
  { requiredKeys: [] },
);
const segment = fc.oneof(
  fc.constantFrom('%', '%ff', '%00', '%2f', '..', '__proto__', 'payment-1', 'default', '1', 'requests', '%E4%B8'),
  text.map(plain),
);
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'limit',
        'cursor',
        'order',
        'state',
        'paymentCode',
        'mobile',
        'since',
        'walletName',
        '__proto__',
        'a[]',
        '%',
      ),
      fc.oneof(fc.constantFrom('1', '%', '%ff', '', 'bogus'), text.map(plain)),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`));
const prefix = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', '/s/1', '/s/other', '/s/third') },
  { weight: 1, arbitrary: segment.map((each) => `/s/${each}`) },
);

/** Requests from the tables of all entry points, well made or spoilt in their path, query, head or body. */
export async function attacks(): Promise<fc.Arbitrary<Attack>> {
  const known = await targets();
  const target = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...known) },
    {
      weight: 1,
      arbitrary: fc
        .array(segment, { maxLength: 4 })
        .map((parts): Target => ({ method: 'GET', path: `/${parts.join('/')}`, body: undefined, type: 'text/plain' })),
    },
  );
  const method = fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE') },
  );
  return target.chain(({ path, body, type, method: usual }) =>
    fc
      .record({
        method,
        prefix,
        segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
        query,
        headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
        value: spoilt(body ?? {}),
        encoded,
        isBare: fc.integer({ min: 0, max: body === undefined ? 1 : 9 }).map((chance) => chance === 0),
      })
      .map((parts) => {
        let parameter = 0;
        const filled = path.replace(/\{\w+\}/g, () => parts.segments[parameter++] ?? '');
        return {
          method: parts.method ?? usual,
          path: `${parts.prefix}${filled}${parts.query}`,
          headers: { ...(parts.isBare ? {} : { 'content-type': type }), ...parts.headers },
          body: parts.isBare ? undefined : parts.encoded(parts.value, type),
        };
      }),
  );
}
