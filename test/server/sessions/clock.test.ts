import fc from 'fast-check';
import { isOnClock, LAST_CLOCK_INSTANT } from '../../../src/base/time.ts';
import { Clock } from '../../../src/server/sessions/clock.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { cases } from '../../cases.ts';
import { delivery, payment } from '../store/samples.ts';
import { deliveriesJob, isIdle, paymentsJob, sessionOn, sessionWith, waitForTurns } from './session-under-test.ts';

const { jest } = import.meta;
const START = Date.parse('2026-03-01T10:00:00.000Z');
const DAY = 86_400_000;

// The machine's clock moves only when a test moves it; turns of the event loop continue.
beforeEach(() => {
  jest.useFakeTimers({ now: START, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

function putPayments(session: Session, ...dues: [id: string, dueAt: number][]): Promise<void> {
  return session.transact(async (transaction) => {
    for (const [id, dueAt] of dues) {
      transaction.put('payments', payment(id, { dueAt }));
    }
  });
}

/** Moves the machine's clock, then waits for everything that follows without external events. */
async function passTime(milliseconds: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(milliseconds);
  await waitForTurns();
}

/** A session on the machine's clock, and a log of its jobs with the milliseconds since the start. */
async function realSession(offset = 0) {
  const runs: [id: string, after: number][] = [];
  const { session } = await sessionOn(
    { mode: 'real', offset },
    paymentsJob((id) => {
      runs.push([id, Date.now() - START]);
      return undefined;
    }),
    deliveriesJob(async (_delivery, { sleep }) => {
      await sleep(500);
      runs.push(['sent', Date.now() - START]);
      return '';
    }),
  );
  return { session, runs };
}

describe('on the machine’s clock', () => {
  it('jobs run when they are due, earliest first, regardless of the order in which they were added', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START + 300]);
    await putPayments(session, ['payment-2', START + 100], ['payment-3', START + 200]);
    await putPayments(session, ['payment-3', START + 250]);
    await passTime(99);
    expect(runs).toEqual([]);
    await passTime(1000);
    expect(runs).toEqual([
      ['payment-2', 100],
      ['payment-3', 250],
      ['payment-1', 300],
    ]);
    expect(isIdle(session)).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('an overdue job runs at once, and the clock is not set back for it', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START - 5000]);
    await passTime(0);
    expect([runs, session.clock.now()]).toEqual([[['payment-1', 0]], START]);
  });

  it('a job on a distant day runs on that day, with one timer at a time', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START + 10 * DAY]);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(10 * DAY - 1);
    expect([runs, jest.getTimerCount()]).toEqual([[], 1]);
    await passTime(1);
    expect(runs).toEqual([['payment-1', 10 * DAY]]);
  });

  it('time continues from the instant to which it was moved, and jobs run earlier by the same amount', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START + 5000], ['payment-2', START + 20_000]);
    await session.clockMover.advance('PT10S');
    expect(session.clock.now()).toBe(START + 10_000);
    expect(session.state.clock).toEqual({ mode: 'real', offset: 10_000, at: START + 10_000 });
    await passTime(9999);
    expect(runs).toEqual([['payment-1', 0]]);
    await passTime(1);
    expect(runs).toEqual([
      ['payment-1', 0],
      ['payment-2', 10_000],
    ]);
  });

  it('a job that sleeps on the clock continues when its time has passed', async () => {
    const { session, runs } = await realSession(1000);
    await session.transact(async (transaction) => transaction.put('deliveries', delivery('delivery-1', START)));
    await passTime(499);
    expect(runs).toEqual([]);
    await passTime(1);
    expect(runs).toEqual([['sent', 500]]);
  });

  it('nothing runs by itself while the clock is frozen, and everything due runs once it is unfrozen', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START + 100]);
    await session.clockMover.set((now) => ({ mode: 'frozen', now }));
    expect(jest.getTimerCount()).toBe(0);
    await passTime(1000);
    expect([runs, session.clock.now()]).toEqual([[], START]);
    await session.clockMover.set(() => ({ mode: 'real', offset: -950 }));
    expect(session.clock.now()).toBe(START + 50);
    await passTime(50);
    expect(runs).toEqual([['payment-1', 1050]]);
  });

  it('nothing runs after a stop, a reset or a deletion', async () => {
    const ends = [
      (session: Session) => session.stop(),
      (session: Session) => session.reset(),
      async (session: Session) => session.end('deleted'),
    ];
    for (const end of ends) {
      const { session, runs } = await realSession();
      await putPayments(session, ['payment-1', START + 100]);
      await end(session);
      await passTime(1000);
      expect([runs, jest.getTimerCount()]).toEqual([[], 0]);
      jest.setSystemTime(START);
    }
  });
});

describe('when the machine’s clock is set', () => {
  const YEAR = 365 * DAY;

  it('back, the session’s clock continues without a jump, and a job runs once, at its intended time', async () => {
    for (const machineNow of [START - 5000, START - DAY, START - 30 * YEAR, -20 * YEAR]) {
      const { session, runs } = await realSession();
      const offset = START - machineNow;
      await putPayments(session, ['payment-1', START + 300], ['payment-2', START + 20_000]);
      await passTime(100);
      jest.setSystemTime(machineNow + 100);
      expect(session.clock.now()).toBe(START + 100);
      await passTime(199);
      expect(runs).toEqual([]);
      await passTime(1);
      expect(runs).toEqual([['payment-1', 300 - offset]]);
      await passTime(20_000);
      expect(runs.slice(1)).toEqual([['payment-2', 20_000 - offset]]);
      expect(session.clock.now()).toBe(START + 20_300);
      jest.setSystemTime(START);
    }
  });

  it('forward, the session’s clock follows, and due jobs run within ten seconds without any call', async () => {
    const { session, runs } = await realSession();
    await putPayments(session, ['payment-1', START + DAY], ['payment-2', START + 3 * YEAR]);
    jest.setSystemTime(START + YEAR);
    expect(session.clock.now()).toBe(START + YEAR);
    await passTime(10_000);
    expect(runs.map(([id]) => id)).toEqual(['payment-1']);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('back and then corrected, the session’s clock equals the machine’s again', async () => {
    const { session } = await realSession(1000);
    jest.setSystemTime(START - DAY);
    await passTime(50);
    expect(session.clock.now()).toBe(START + 1050);
    jest.setSystemTime(START + 50);
    expect(session.clock.now()).toBe(START + 1050);
    jest.setSystemTime(START + DAY);
    expect(session.clock.now()).toBe(START + DAY + 1000);
  });

  it('back, a session’s clock follows it once the session is reset or set to the machine’s clock', async () => {
    for (const goBack of [
      (session: Session) => session.reset(),
      (session: Session) => session.clockMover.set(() => ({ mode: 'real', offset: 0 })),
    ]) {
      jest.setSystemTime(START);
      const { session } = await realSession();
      jest.setSystemTime(START - DAY);
      expect(session.clock.now()).toBe(START);
      await goBack(session);
      expect(session.clock.now()).toBe(START - DAY);
    }
  });

  it('back while the sandbox was stopped, the session continues from its last commit', async () => {
    const { session } = await realSession(500);
    await passTime(1000);
    await putPayments(session, ['payment-1', START + DAY]);
    jest.setSystemTime(START - YEAR);
    const restored = new Clock(session.state.clock);
    expect(restored.now()).toBe(START + 1500);
    await passTime(70);
    expect(restored.now()).toBe(START + 1570);
  });

  it('repeatedly to any time, a session’s clock never runs back, falls behind or leaves its range', () => {
    const instant = fc.oneof(
      fc.integer({ min: START - DAY, max: START + DAY }),
      fc.integer({ min: -9e15, max: 9e15 }),
      fc.constantFrom(-1, 0, LAST_CLOCK_INSTANT, LAST_CLOCK_INSTANT + 1),
    );
    const step = fc.record({
      set: fc.option(instant),
      wait: fc.integer({ min: 0, max: 100_000 }),
      isRead: fc.boolean(),
    });
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 0, max: 1e14 }),
        fc.array(step, { maxLength: 20 }),
        (start, offset, steps) => {
          jest.setSystemTime(start);
          const clock = new Clock({ mode: 'real', offset });
          let last = clock.now();
          let waited = 0;
          for (const { set, wait, isRead } of steps) {
            if (set !== null) {
              jest.setSystemTime(set);
            }
            jest.advanceTimersByTime(wait);
            waited += wait;
            if (!isRead) {
              continue;
            }
            const now = clock.now();
            expect(isOnClock(now)).toBe(true);
            // A step back of at most a second plus a thousandth of the elapsed time is treated as drift; then the clock may stand still.
            const minimum = Math.min(last + waited - (1000 + waited / 1000), LAST_CLOCK_INSTANT);
            expect(now).toBeGreaterThanOrEqual(Math.max(last, minimum));
            [last, waited] = [now, 0];
          }
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

it('a clock that is set ahead runs everything due on the way', async () => {
  const instants: number[] = [];
  const { session } = await sessionWith(
    paymentsJob(() => {
      instants.push(session.clock.now());
      return undefined;
    }),
  );
  await putPayments(session, ['payment-1', 10], ['payment-2', 2000], ['payment-3', 4000]);
  await session.clockMover.set(() => ({ mode: 'frozen', now: 3000 }));
  expect([instants, session.clock.now()]).toEqual([[10, 2000], 3000]);
});

it('due jobs are done before the clock is set back', async () => {
  const runs: string[] = [];
  const { session } = await sessionWith(
    paymentsJob((id) => {
      runs.push(id);
      return undefined;
    }),
  );
  await session.clockMover.advance('PT2S');
  await putPayments(session, ['payment-1', 2000]);
  await session.clockMover.set(() => ({ mode: 'frozen', now: 5 }));
  expect([runs, session.clock.now()]).toEqual([['payment-1'], 5]);
});

it('a frozen clock that is set back stays at that instant, and jobs are not repeated', async () => {
  const runs: string[] = [];
  const { session } = await sessionWith(
    paymentsJob((id) => {
      runs.push(id);
      return undefined;
    }),
  );
  await putPayments(session, ['payment-1', 10], ['payment-2', 3000]);
  await session.clockMover.advance('PT2S');
  await session.clockMover.set(() => ({ mode: 'frozen', now: 5 }));
  expect([session.clock.now(), session.state.clock]).toEqual([5, { mode: 'frozen', now: 5 }]);
  await session.clockMover.runUntilIdle();
  expect([runs, session.clock.now()]).toEqual([['payment-1', 'payment-2'], 3000]);
});
