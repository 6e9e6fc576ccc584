import type { Instant } from '../../../src/base/time.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { waitForLatency } from '../../../src/server/merchant-api/fault.ts';
import { Session } from '../../../src/server/sessions/session.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { delivery, payment, state } from '../store/samples.ts';
import { deferred, deliveriesJob, partsWith, paymentsJob, sessionOn, sessionWith } from './session-under-test.ts';

/** A session on a disk that keeps nothing until it is told to. */
async function sessionOnSlowDisk() {
  const { errors: _, ...parts } = await partsWith(paymentsJob(() => undefined));
  const isAsked = deferred();
  const isWritten = deferred();
  const commit = async (commit: Commit) => {
    const kept = parts.store.commit(commit);
    isAsked.resolve();
    await isWritten.promise;
    return kept;
  };
  const store = new Proxy(parts.store, {
    get(target, name) {
      const member: unknown = name === 'commit' ? commit : Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const clock = { mode: 'frozen', now: 0 } as const;
  const facts = state({ clock, start: { scenario: 'payer-decides', clock } });
  return { session: new Session('shop', facts, { ...parts, store }), isAsked, isWritten };
}

const stepsIn = ({ history }: Session): unknown[] =>
  (history.recorded?.entries ?? []).map((entry) => ('of' in entry ? [entry.of, entry.at] : []));

it('has a call that came in the midst of a step behind that, so that instants follow one another', async () => {
  const { session } = await sessionWith();
  session.history.begin(await session.snapshot());
  const hasBegun = deferred();
  const mayEnd = deferred();
  const step = session.transact(
    async () => {
      hasBegun.resolve();
      await mayEnd.promise;
    },
    { job: 'a step' },
  );
  await hasBegun.promise;
  session.history.call({ id: 'request-1', origin: 'merchant', method: 'GET', target: '/', headers: [] });
  mayEnd.resolve();
  await step;
  const { entries = [] } = session.history.recorded ?? {};
  expect(entries.map((entry) => (entry.kind === 'call' ? entry.id : entry.of))).toEqual(['a step', 'request-1']);
});

it('has how far a move of the clock had come, before what follows from that', async () => {
  const { session } = await sessionWith(paymentsJob(() => undefined));
  await session.transact(async (transaction) => transaction.put('payments', payment('payment-1', { dueAt: 50 })));
  session.history.begin(await session.snapshot());
  await session.moves.advance('PT1S');
  expect(stepsIn(session)).toEqual([
    ['the begin of a move of the clock', 0],
    ['a move of the clock', 0],
    ['test-payment payment-1', 50],
    ['a move of the clock', 50],
  ]);
});

it('of a move of the clock tells what happened in it, and not what a slow disk keeps meanwhile', async () => {
  const { session, isAsked, isWritten } = await sessionOnSlowDisk();
  const change = session.transact(async (transaction) => {
    transaction.put('payments', payment('payment-1'));
    transaction.emit('test.before', 'payments', 'payment-1');
  });
  await isAsked.promise;
  const move = session.moves.advance('PT1S');
  isWritten.resolve();
  await change;
  expect((await move).happened).toEqual([]);
});

it('lets what is due on a clock that runs be done, though a move of it waits for a receiver', async () => {
  const isDone = deferred();
  const answer = deferred<string>();
  const { session } = await sessionOn(
    { mode: 'real', offset: 0 },
    paymentsJob(() => {
      isDone.resolve();
      return undefined;
    }),
    deliveriesJob(() => answer.promise),
  );
  const now = session.clock.now();
  await session.transact(async (transaction) => {
    transaction.put('deliveries', delivery('delivery-1', now));
    transaction.put('payments', payment('payment-1', { dueAt: now + 200 }));
  });
  const move = session.moves.advance('PT1H');
  await isDone.promise;
  answer.resolve('over');
  await move;
});

it('has the begin of a move of the clock behind a step in whose midst it came, as it tells what happened', async () => {
  const { session } = await sessionWith();
  const hasBegun = deferred();
  const mayEnd = deferred();
  const step = session.transact(async (transaction) => {
    hasBegun.resolve();
    await mayEnd.promise;
    transaction.put('payments', payment('payment-1'));
    transaction.emit('test.before', 'payments', 'payment-1');
  });
  await hasBegun.promise;
  const move = session.moves.advance('PT1S');
  await endOfTurn();
  mayEnd.resolve();
  await step;
  expect((await move).happened).toEqual([]);
});

it('ends a move of the clock where it stands, though its caller leaves while a disk keeps what came before', async () => {
  const { session, isAsked, isWritten } = await sessionOnSlowDisk();
  const before = session.transact(async (transaction) => transaction.put('payments', payment('payment-1')));
  await isAsked.promise;
  const caller = new AbortController();
  const move = session.moves.advance('PT1S', caller.signal);
  await endOfTurn();
  caller.abort();
  isWritten.resolve();
  await Promise.all([before, move]);
  expect(session.clock.now()).toBe(0);
});

it('has the very moment at which a move of a clock that runs looked what is due', async () => {
  const { session } = await sessionOn(
    { mode: 'real', offset: 0 },
    paymentsJob(() => undefined),
  );
  const start = session.clock.now() + 60_000;
  await session.transact(async (transaction) => {
    for (let number = 1; number <= 40; number += 1) {
      transaction.put('payments', payment(`payment-${number}`, { dueAt: start + number }));
    }
  });
  session.history.begin(await session.snapshot());
  const { clock } = session;
  const now = clock.now.bind(clock);
  let looks = 0;
  // Time passes from each look to the next.
  clock.now = () => now() + looks++;
  await session.moves.advance('PT2M');
  const early: string[] = [];
  let reached: Instant = 0;
  let isNext = false;
  for (const entry of session.history.recorded?.entries ?? []) {
    const [, number] = /^test-payment payment-(\d+)$/.exec('of' in entry ? entry.of : '') ?? [];
    const dueAt = start + Number(number ?? 0);
    if (number === undefined) {
      reached = entry.at;
    } else if (isNext) {
      reached = Math.max(reached, dueAt);
    } else if (dueAt > reached) {
      early.push(number);
    }
    isNext = number === undefined;
  }
  expect(early).toEqual([]);
});

it('has a call wait from the instant that it says, on a clock that runs', async () => {
  const { session } = await sessionWith();
  session.history.begin(await session.snapshot());
  let looks = 0;
  import.meta.jest.spyOn(session.clock, 'now').mockImplementation(() => {
    looks += 1;
    return looks;
  });
  const cause = { id: 'request-1', committed: () => undefined };
  const latency = { at: 'before', kind: 'latency', latency: 'PT5S' } as const;
  void waitForLatency(session, { generation: session.generation, cause }, latency);
  expect([stepsIn(session), session.scheduler.nextDueAt]).toEqual([[['request-1', 1]], 5001]);
});

it('that begins with a reset has its calls numbered from 1, also while that is not on disk', async () => {
  const { session, isAsked, isWritten } = await sessionOnSlowDisk();
  expect([session.requests.nextId(), session.requests.nextId()]).toEqual(['request-1', 'request-2']);
  const reset = session.reset();
  await isAsked.promise;
  expect(session.requests.nextId()).toBe('request-1');
  isWritten.resolve();
  await reset;
  expect(session.requests.nextId()).toBe('request-2');
});

it('has no step of a call that a reset overtook', async () => {
  const { session } = await sessionWith();
  session.history.begin(await session.snapshot());
  const { generation } = session;
  await session.reset();
  const cause = { id: 'request-7', committed: () => undefined };
  await waitForLatency(session, { generation, cause }, { at: 'before', kind: 'latency', latency: 'PT5S' });
  expect(stepsIn(session)).toEqual([]);
});
