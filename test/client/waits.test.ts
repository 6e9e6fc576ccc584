import type { EventType } from '../../src/base/schema/generated/control.ts';
import type { ControlConnection } from '../../src/client/connection.ts';
import { Waits } from '../../src/client/waits.ts';
import { type Sandbox, type SandboxClient, startSandbox, type WaitTimeoutError } from '../../src/index.ts';
import { post } from '../interface/calls.ts';
import { exampleOf } from '../interface/examples.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { startReceiver } from '../server/domain/webhooks/receiver.ts';
import { pay } from '../server/payer-pages/visits.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

let sandbox: Sandbox;
let receiver: Receiver;
let session: SandboxClient;
let sessions = 0;
let status: number;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
  receiver = await startReceiver((_call, response) => response.writeHead(status).end());
});
afterAll(async () => {
  await receiver.close();
  await sandbox.close();
});
beforeEach(async () => {
  status = 204;
  sessions += 1;
  session = sandbox.session(`waits-${sessions}`);
  await session.setEndpoints([{ url: receiver.url }]);
});

async function payAndSettle(payerReference: string): Promise<void> {
  await pay(session, { payerReference });
  await session.settle(payerReference, 'Paid');
}

const failureOf = (wait: Promise<unknown>): Promise<WaitTimeoutError> =>
  wait.then(
    () => Promise.reject(new Error('the wait did not fail')),
    (error: WaitTimeoutError) => error,
  );

describe('waiting for the next delivery', () => {
  it('returns a delivery that has already happened, and each delivery only once', async () => {
    await payAndSettle('ORDER-1');
    await payAndSettle('ORDER-2');
    await session.advance('PT0S');
    const ids = [
      (await session.waitForDelivery(undefined, LONG_WAIT)).subjectId,
      (await session.waitForDelivery(undefined, LONG_WAIT)).subjectId,
    ];
    expect(ids.sort()).toEqual(['payment-1', 'payment-2']);
    const third = session.waitForDelivery(undefined, LONG_WAIT);
    await payAndSettle('ORDER-3');
    expect(await third).toMatchObject({ subjectId: 'payment-3', state: 'delivered' });
  });

  it('ignores deliveries of other payments', async () => {
    await payAndSettle('ORDER-1');
    await payAndSettle('ORDER-2');
    expect((await session.waitForDelivery('ORDER-2', LONG_WAIT)).subjectId).toBe('payment-2');
    expect((await session.waitForDelivery('payment-1', LONG_WAIT)).subjectId).toBe('payment-1');
  });

  it('may begin before the payment exists', async () => {
    const delivery = session.waitForDelivery('ORDER-1', LONG_WAIT);
    await payAndSettle('ORDER-1');
    expect((await delivery).subjectId).toBe('payment-1');
  });

  it('returns different deliveries to two simultaneous waits', async () => {
    const deliveries = Promise.all([
      session.waitForDelivery(undefined, LONG_WAIT),
      session.waitForDelivery(undefined, LONG_WAIT),
    ]);
    await payAndSettle('ORDER-1');
    await payAndSettle('ORDER-2');
    expect((await deliveries).map(({ subjectId }) => subjectId).sort()).toEqual(['payment-1', 'payment-2']);
  });

  it('starts again after a reset, although ids repeat', async () => {
    await payAndSettle('ORDER-1');
    await session.waitForDelivery('ORDER-1', LONG_WAIT);
    await session.reset();
    await session.setEndpoints([{ url: receiver.url }]);
    await payAndSettle('ORDER-2');
    expect(await session.waitForDelivery(undefined, LONG_WAIT)).toMatchObject({
      id: 'delivery-1',
      subjectId: 'payment-1',
    });
  });

  it('returns an earlier delivery again if `since` is given', async () => {
    await payAndSettle('ORDER-1');
    const { id } = await session.waitForDelivery(undefined, LONG_WAIT);
    expect((await session.waitForDelivery(undefined, { since: 0, ...LONG_WAIT })).id).toBe(id);
  });
});

describe('the error of a wait that timed out reports', () => {
  it('that no notification is due, and what the payment waits for', async () => {
    await session.setEndpoints([]);
    await pay(session, { payerReference: 'ORDER-1' });
    const error = await failureOf(session.waitForDelivery('ORDER-1', { timeout: 20 }));
    expect(error.name).toBe('WaitTimeoutError');
    expect(error.message).toBe(
      `no delivery about ORDER-1 within 20 ms in session ${session.session}
  payment: payment-1 (ORDER-1) is Processing; settle it, or advance the clock
  deliveries: none
  endpoints: none; set one with setEndpoints
  clock: frozen at 2026-03-01T10:00:00.000Z; next due at 2026-03-01T10:15:00.000Z, once it is advanced
  events: ${wordsForEvents(error)}`,
    );
    expect(error.seen).toMatchObject({ deliveries: [], endpoints: [], payment: { id: 'payment-1' } });
  });

  it('how the last attempt failed, and when the next one is', async () => {
    status = 500;
    await payAndSettle('ORDER-1');
    await session.advance('PT0S');
    const { message } = await failureOf(session.waitForDelivery('ORDER-1', { timeout: 20 }));
    expect(message).toMatch(
      /\n {2}payment: payment-1 \(ORDER-1\) is Paid\n {2}deliveries:\n {4}delivery-1 \(payment\.paid, payment-1\) to http:\S+: pending, 1 attempt, the last one failed: the endpoint answered with 500; next attempt at 2026-03-01T10:00:\d\d/,
    );
    expect(message).toContain(`\n  endpoints: ${receiver.url}\n`);
  });

  it('that an earlier wait returned the only delivery', async () => {
    await payAndSettle('ORDER-1');
    await session.waitForDelivery('ORDER-1', LONG_WAIT);
    const { message } = await failureOf(session.waitForDelivery('ORDER-1', { timeout: 20 }));
    expect(message).toContain(': delivered, 1 attempt; an earlier wait returned it\n');
  });

  it('the deliveries of a payout, by its reference', async () => {
    await post('/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout'), session.baseUrl);
    await session.runUntilIdle();
    for (const _ of (await session.deliveries()).items) {
      await session.waitForDelivery('PAYOUT-1', LONG_WAIT);
    }
    const { message, seen } = await failureOf(session.waitForDelivery('PAYOUT-1', { timeout: 20 }));
    expect(message).toMatch(/\n {2}deliveries:\n {4}delivery-\d+ \(payout\./);
    expect(seen).not.toHaveProperty('payment');
  });

  it('that the payment does not exist', async () => {
    const { message, seen } = await failureOf(session.waitForDelivery('ORDER-9', { timeout: 20 }));
    expect(message).toContain('\n  payment: none with that id or reference\n  deliveries: none\n');
    expect(seen.payment).toBeNull();
  });

  it('which events there were instead, newest first, and which of them earlier waits returned', async () => {
    const waits = waitsOn(['payment.created', 'payment.paid', 'payment.created'], () => new Promise(() => undefined));
    await waits.forEvent('payment.paid', LONG_WAIT);
    const { message } = await failureOf(waits.forEvent('payment.paid', { timeout: 1 }));
    expect(message).toBe(
      `no event payment.paid within 1 ms in session waits
  clock: real; nothing is due
  events: payment.created, payment.paid (an earlier wait returned it), payment.created, newest first`,
    );
  });

  it('why the state of the session could not be fetched', async () => {
    const waits = waitsOn([], () => new Promise(() => undefined), new Error('fetch failed'));
    const { message } = await failureOf(waits.forEvent('payment.paid', { timeout: 1 }));
    expect(message).toContain('\n  events: none\n  further details could not be fetched: fetch failed');
  });
});

it('a wait reports that the sandbox ended its event stream', async () => {
  const waits = waitsOn(['payment.created'], async () => undefined);
  await expect(waits.forDelivery(undefined, { timeout: 600_000 })).rejects.toThrow(
    'the sandbox closed, or deleted session waits, before there was any delivery',
  );
});

/** The events of a message, whose number depends on how fast the stream was read. */
function wordsForEvents({ seen }: WaitTimeoutError): string {
  return seen.events.map(({ type }) => type).join(', ') || 'none';
}

/** Waits on a stream that has the given events at once, and ends when `untilEnd` resolves. */
function waitsOn(types: readonly EventType[], untilEnd: () => Promise<void>, failure?: Error): Waits {
  const control: Pick<ControlConnection, 'call' | 'events'> = {
    async *events({ signal } = {}) {
      for (const [index, type] of types.entries()) {
        yield {
          id: index + 1,
          at: '',
          type,
          collection: null,
          subjectId: `payment-${index}`,
          requestId: null,
          data: {},
        };
      }
      const aborted = new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      await Promise.race([untilEnd(), aborted]);
    },
    async call<Answer>() {
      if (failure) {
        throw failure;
      }
      return { mode: 'real', now: '', nextDue: null } as Answer;
    },
  };
  return new Waits(control, 'waits');
}

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5s'])('%p is refused as a time limit', async (timeout) => {
  await expect(session.waitForDelivery(undefined, { timeout: timeout as number })).rejects.toThrow(
    'timeout must be milliseconds from 0 to 2147483647',
  );
});
