import fc from 'fast-check';
import { anyEncoding, encode, FORM, plain } from './encode.ts';
import { mutateBody, NAMES, text } from './hostile.ts';
import { rawBytes } from './raw.ts';
import { type Target, targets } from './targets.ts';

/** One request, valid or not. */
export interface Attack {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
  /** The number of the client that sends it. Each client waits for an answer before its next request. */
  client: number;
  /** Bytes that are sent over a separate connection in place of the request. */
  raw?: Buffer;
}

/** Each client has a separate session, so that the order of their answers does not matter. */
const SESSIONS = ['', '/s/1', '/s/other', '/s/third', '/s/4', '/s/x.y', '/s/seven', '/s/constructor'];

/** Requests to all entry points. About half are valid; the others have a wrong path, query, head or body. */
export async function attacks(): Promise<fc.Arbitrary<Attack>> {
  const knownTargets = await targets();
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...knownTargets.map(validAttack)) },
    { weight: 14, arbitrary: fc.oneof(...knownTargets.map(invalidAttack)) },
    { weight: 1, arbitrary: fc.tuple(client, fc.array(segment, { maxLength: 4 })).map(attackOnUnknownPath) },
    { weight: 1, arbitrary: fc.tuple(client, rawBytes).map(([by, raw]): Attack => ({ ...NOTHING, client: by, raw })) },
  );
}

const client = fc.nat({ max: SESSIONS.length - 1 });
const NOTHING = { method: 'GET', path: '/', headers: {}, body: undefined };

function attackOnUnknownPath([client, segments]: [number, string[]]): Attack {
  return { ...NOTHING, client, path: `${SESSIONS[client]}/${segments.join('/')}` };
}

/** Existing values for a path's parameters, by the segment before them. */
const EXISTING_VALUES: Readonly<Record<string, readonly string[]>> = {
  payments: ['payment-1', 'payment-2', 'payment-3', '$recall(paymentId)'],
  payouts: ['payout-1', 'payout-2', 'payout-3'],
  merchants: ['M-1000'],
  requests: ['request-1', 'request-2', 'request-7'],
  deliveries: ['delivery-1', 'delivery-2'],
  'payment-tokens': ['token-1', 'token-2'],
  'shop-codes': ['shop-code-1', 'shop-code-2', 'TILL-1'],
  shop: ['shop-code-1', 'shop-code-1.png', 'shop-code-1.svg'],
  scan: ['shop-code-1', 'shop-code-2'],
  scenarios: ['payer-decides', ...NAMES.filter((name) => /^\w+$/.test(name))],
  sessions: ['third', 'other'],
  approve: ['$recall(paymentCode)'],
  link: ['$recall(paymentLinkToken)'],
  phone: ['263770000001'],
  images: ['image-1', 'image-2'],
  versions: ['payment', 'link'],
  payment: ['payment-1', 'payment-2'],
  assets: ['page.css', 'live.js'],
};

function pathWithValues(path: string, choice: number): string {
  const segments = path.split('/');
  for (const [place, segment] of segments.entries()) {
    if (segment.startsWith('{')) {
      const values = EXISTING_VALUES[segments[place - 1] ?? ''] ?? ['1', '2'];
      segments[place] = values[choice % values.length] ?? '1';
    }
  }
  return segments.join('/');
}

const WALLETS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
/** Members that accept any text of a reasonable length. */
const FREE_TEXT_MEMBERS = [
  'paymentDescription',
  'payerName',
  'payerReference',
  'recurringReference',
  'paymentTokenReferenceRequest',
];

/** Valid requests, with unusual texts where any text is allowed. */
function validAttack({ method, path, type, body, headers, query }: Target): fc.Arbitrary<Attack> {
  return fc
    .record({
      client,
      choice: fc.nat({ max: 999 }),
      wallet: fc.constantFrom(...WALLETS),
      word: fc.option(fc.tuple(fc.constantFrom(...FREE_TEXT_MEMBERS), text)),
      parameters:
        query.length === 0 ? fc.constant([]) : fc.subarray([...query], { maxLength: Math.min(2, query.length) }),
    })
    .map(({ client: by, choice, wallet, word, parameters }) => ({
      client: by,
      method,
      path: `${SESSIONS[by]}${pathWithValues(path, choice)}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
      headers: { ...headers, ...(body ? { 'content-type': type } : {}) },
      body: body && encode(withTexts(body, wallet, word, choice), type),
    }));
}

function withTexts(body: object, wallet: string, word: [string, string] | null, choice: number): object {
  const copy: Record<string, unknown> = { ...body };
  if ('walletName' in copy) {
    copy['walletName'] = wallet;
    if (wallet === 'WALLET_MOBILE') {
      copy['payerMobile'] = '263770000001';
    }
  }
  if ('payerReference' in copy) {
    copy['payerReference'] = `ORDER-${choice}`;
  }
  if (word && word[0] in copy) {
    copy[word[0]] = word[1];
  }
  return copy;
}

/** A text that fits into a request's head, because Node's own client accepts no other. */
const headText = text.map((each) => each.replace(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 200));
const TYPES = ['application/json', FORM, `${FORM}; charset=utf-16`, 'text/plain', 'application/json; charset=x', '/'];
const headers: fc.Arbitrary<Attack['headers']> = fc.record(
  {
    'content-type': fc.oneof(fc.constantFrom(...TYPES), headText),
    'content-encoding': fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'x', ''),
    authorization: fc.oneof(headText, fc.constantFrom('Bearer ', 'Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.e30.')),
    'x-sandbox-session': fc.oneof(
      fc.constantFrom('1', '__proto__', 'constructor', 'a'.repeat(65)),
      headText,
      fc.constant<string[]>(['1', '2']),
    ),
    'x-sandbox-scenario': fc.oneof(fc.constantFrom('auto-approve', 'declined', '__proto__', 'toString'), headText),
    'last-event-id': headText,
    origin: fc.oneof(fc.constantFrom('null', 'http://evil.test', 'http://[::'), headText),
    host: fc.oneof(fc.constantFrom('localhost', '[', 'a b'), headText),
    accept: headText,
    cookie: fc.oneof(headText, fc.array(headText, { maxLength: 3 })),
    expect: fc.constantFrom('100-continue'),
  },
  { requiredKeys: [] },
);
const segment = fc.oneof(
  fc.constantFrom('%', '%ff', '%00', '%2f', '..', '__proto__', 'payment-1', 'default', '1', 'requests', '%E4%B8'),
  text.map(plain),
);
const QUERY_NAMES = ['limit', 'cursor', 'order', 'state', 'paymentCode', 'mobile', 'since', 'walletName'];
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...QUERY_NAMES, '__proto__', 'constructor', 'a[]', '%', '0'),
      fc.oneof(fc.constantFrom('1', '%', '%ff', '', 'bogus'), text.map(plain)),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`));
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE'];

function invalidAttack({ method, path, type, body, headers: usualHeaders }: Target): fc.Arbitrary<Attack> {
  return fc
    .record({
      client,
      method: fc.oneof(
        { weight: 15, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      prefix: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: segment.map((each) => `/s/${each}`) },
      ),
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      hasExistingValues: fc.boolean(),
      query,
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
      value: mutateBody(body ?? {}),
      encode: anyEncoding,
      isBare: fc.integer({ min: 0, max: body === undefined ? 1 : 9 }).map((chance) => chance === 0),
    })
    .map((parts) => {
      let parameter = 0;
      const filled = parts.hasExistingValues
        ? pathWithValues(path, parts.segments.length)
        : path.replace(/\{\w+\}/g, () => parts.segments[parameter++] ?? '');
      return {
        client: parts.client,
        method: parts.method,
        path: `${parts.prefix ?? SESSIONS[parts.client]}${filled}${parts.query}`,
        headers: { ...usualHeaders, ...(parts.isBare ? {} : { 'content-type': type }), ...parts.headers },
        body: parts.isBare ? undefined : parts.encode(parts.value, type),
      };
    });
}
