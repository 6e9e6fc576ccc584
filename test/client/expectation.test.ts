import {
  type ControlError,
  type ExpectationError,
  type Sandbox,
  type SandboxClient,
  startSandbox,
} from '../../src/index.ts';
import { type LoggedCall, RequestLog } from '../../src/server/sessions/request-log.ts';
import { pay } from '../server/payer-pages/visits.ts';

let sandbox: Sandbox;
let session: SandboxClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  session = sandbox.session('expectation');
});
afterAll(() => sandbox.close());
beforeEach(() => session.reset());

async function failureOf(expectation: Parameters<SandboxClient['verify']>[0]): Promise<ExpectationError> {
  return session.verify(expectation).then(
    () => Promise.reject(new Error('the expectation was met')),
    (error: ExpectationError) => error,
  );
}

it('an unmet expectation shows what was expected, and how the nearest calls differ', async () => {
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-2', amount: '11.00' });
  const body = { payerReference: 'ORDER-2', amount: '12.00', coupon: 'A' };
  const error = await failureOf({ match: { operation: 'initiatePayment', body } });
  expect([error.name, error.status, error.nearest.map(({ id }) => id)]).toEqual([
    'ExpectationError',
    422,
    ['request-2', 'request-1'],
  ]);
  expect(error.message).toBe(
    `0 of 2 calls match, expected at least one
  expected: operation "initiatePayment", body {"payerReference":"ORDER-2","amount":"12.00","coupon":"A"}
  nearest:
    request-2 POST /init/authenticate/merchant/wallet
      $.amount: expected "12.00", received "11.00"
      $.coupon: expected "A", received nothing
    request-1 POST /init/authenticate/merchant/wallet
      $.payerReference: expected "ORDER-2", received "ORDER-1"
      $.amount: expected "12.00", received "10.00"
      $.coupon: expected "A", received nothing`,
  );
});

it('the error about too many matching calls lists these calls', async () => {
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-2' });
  const { message } = await failureOf({ match: { body: { payerReference: 'ORDER-1' } }, count: 1 });
  expect(message).toBe(
    `2 of 3 calls match, expected exactly 1
  expected: body {"payerReference":"ORDER-1"}
  matched: request-1, request-2`,
  );
});

it('an unmet expectation without any call asks whether the tested program uses this address', async () => {
  expect((await failureOf({ match: { operation: 'initiatePayment' } })).message).toBe(
    `0 of 0 calls match, expected at least one
  expected: operation "initiatePayment"
  no calls were made to ${session.baseUrl}; does your code use this base address?`,
  );
});

it('an expectation error stays short, and contains no control characters', async () => {
  const members = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`member${index}`, 'x'.repeat(500)]));
  await pay(session, { payerName: '\u009b31m\u202e' });
  const { message } = await failureOf({ match: { body: { payerName: 'Ann', ...members } } });
  expect(message.length).toBeLessThan(1500);
  expect(message).toContain('received "\\u009b31m\\u202e"');
  expect(message).toContain('and 46 more');
});

describe('an expensive expectation', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]));

  it('is refused if it is larger than any call can be', async () => {
    for (const body of [members(20_001), { a: 'x'.repeat(1_048_577) }]) {
      const failure = await session.verify({ match: { body } }).catch((error: ControlError) => error);
      expect(failure).toMatchObject({ status: 400, problem: { findings: [{ path: '$.match', received: 'more' }] } });
    }
  });

  it('is not even read if its body is too large', async () => {
    const failure = await session
      .verify({ match: { body: 'x'.repeat(5 * 1024 * 1024) } })
      .catch((error: ControlError) => error);
    expect(failure).toMatchObject({ status: 413, problem: { title: 'body-too-large' } });
    const state = { ...(await session.state()), more: 'x'.repeat(5 * 1024 * 1024) };
    await expect(session.restore(state)).rejects.toMatchObject({ status: 400 });
  });

  it('is answered with some of the differences, their number, and the start of long values', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    const body = { payerReference: 'x'.repeat(5000), ...members(19_998) };
    const error = await failureOf({ match: { body } });
    const [near] = error.nearest;
    expect([near?.differences.length, near?.more]).toEqual([100, 19_899]);
    expect(near?.differences[0]).toEqual({
      path: '$.payerReference',
      expected: `"${'x'.repeat(999)}… (5,002 characters of JSON)`,
      received: 'ORDER-1',
    });
    expect(JSON.stringify(error.problem).length).toBeLessThan(20_000);
    expect(error.message).toContain('and 19994 more');
  });

  it('gives other work a turn during the comparison', async () => {
    for (let count = 0; count < 40; count += 1) {
      await pay(session, { payerReference: `ORDER-${count}` });
    }
    const calls = Object.getOwnPropertyDescriptor(RequestLog.prototype, 'calls')?.get ?? (() => []);
    const turns: number[] = [];
    let turn = 0;
    const spied = import.meta.jest.spyOn(RequestLog.prototype, 'calls', 'get').mockImplementation(function (
      this: RequestLog,
    ) {
      return (calls.call(this) as LoggedCall[]).map((call) => ({
        ...call,
        describe() {
          turns.push(turn);
          return call.describe();
        },
      }));
    });
    let isDone = false;
    const failure = failureOf({ match: { body: members(19_999) } }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turn += 1;
    }
    spied.mockRestore();
    expect((await failure).nearest).toHaveLength(3);
    expect([turns.length, new Set(turns).size > 1]).toEqual([40, true]);
  });
});
