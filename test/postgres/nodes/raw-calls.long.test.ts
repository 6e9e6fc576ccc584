// The bytes of requests and answers, which must be the same at each node.
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { cases } from '../../cases.ts';
import { rawCall, withoutVaryingParts } from '../../raw-call.ts';
import { NodesUnderTest, pay, referencesAt } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();

const WALLET = '/s/shop/sandbox/init/authenticate/merchant/wallet';
/** Largest head of a request that a node accepts. */
const MAX_HEAD_BYTES = 16 * 1024;

interface RawRequest {
  method: string;
  target: string;
  version: string;
  host: string | undefined;
  body: string | undefined;
  framing: 'length' | 'chunked' | 'expect';
  headBytes: number;
  isHalfClosed: boolean;
}

/** Calls that change nothing, in every form that HTTP/1 has. */
const anyCall: fc.Arbitrary<RawRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE'),
  target: fc.constantFrom(
    ...['/s/shop/init/banks/all', 'http://elsewhere.test/s/shop/init/banks/all', '/s/shop/_sandbox/payments', '*'],
    ...['/s/shop/_sandbox/events?since=0', '/s/shop/nothing', WALLET, '/s/shop/pay/phone', '/s/shop'],
  ),
  version: fc.constantFrom('1.0', '1.1'),
  host: fc.constantFrom(undefined, '', 'localhost', 'elsewhere.test'),
  body: fc.constantFrom(undefined, '{}', '{"a"', 'x'.repeat(100_000)),
  framing: fc.constantFrom('length', 'chunked', 'expect'),
  headBytes: fc.oneof(fc.constant(0), fc.integer({ min: MAX_HEAD_BYTES - 300, max: MAX_HEAD_BYTES + 400 })),
  isHalfClosed: fc.boolean(),
});

const PLAIN: RawRequest = {
  method: 'GET',
  target: '*',
  version: '1.1',
  host: '',
  body: undefined,
  framing: 'length',
  headBytes: 0,
  isHalfClosed: true,
};

/** Event streams, which end at each node if the client has closed its side. */
const STREAMS: [RawRequest][] = ['1.0', '1.1'].map((version) => [
  { ...PLAIN, target: '/s/shop/_sandbox/events?since=0', host: 'localhost', version },
]);

function textOf({ method, target, version, host, framing, headBytes, ...raw }: RawRequest): string {
  // If the head is refused, the connection is closed, so a body would be pointless.
  const body = headBytes === 0 ? raw.body : undefined;
  // HTTP/1.0 has neither chunks nor expectations.
  const isChunked = framing === 'chunked' && version === '1.1';
  const isExpected = framing === 'expect' && version === '1.1';
  const headers = [
    ...(host === undefined ? [] : [`Host: ${host}`]),
    'X-Sandbox-Session: shop',
    'Content-Type: application/json',
    'Connection: close',
    ...(body === undefined ? [] : [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`]),
    ...(body !== undefined && isExpected ? ['Expect: 100-continue'] : []),
    ...(headBytes === 0 ? [] : [`X: ${'x'.repeat(headBytes - 200)}`]),
  ];
  const content = isChunked && body !== undefined ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return `${method} ${target} HTTP/${version}\r\n${headers.join('\r\n')}\r\n\r\n${content ?? ''}`;
}

it('an answer is the same at each node, for any form of HTTP request', async () => {
  const settings = { now: Date.parse('2026-03-01T10:00:00Z'), publicUrl: 'http://shop.test' };
  const [one, other] = await nodes.startPair(settings);
  await pay(one.sessionUrl('shop'));
  await fc.assert(
    fc.asyncProperty(anyCall, async (raw) => {
      // An event stream only ends for clients that have closed their side.
      const isHalfClosed = raw.isHalfClosed || raw.target.includes('events');
      const [here, there] = [
        await rawCall(one.url, textOf(raw), { isHalfClosed }),
        await rawCall(other.url, textOf(raw), { isHalfClosed }),
      ];
      expect(withoutVaryingParts(there)).toBe(withoutVaryingParts(here));
      expect(withoutVaryingParts(there)).toMatch(/^HTTP\/1.1 (100|200|4\d\d) /);
    }),
    { numRuns: cases(40), examples: STREAMS },
  );
});

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

if (hasIpv6) {
  it('nodes with IPv6 addresses forward calls to each other', async () => {
    const [one, other] = await nodes.startPair({ host: '::1' });
    expect(one.url).toMatch(/^http:\/\/\[::1\]:/);
    await pay(one.sessionUrl('shop'), 'ORDER-1');
    expect((await pay(other.sessionUrl('shop'), 'ORDER-2')).status).toBe(200);
    expect(await referencesAt(one.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
  });
}
