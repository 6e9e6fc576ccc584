import { Session } from '../../src/sessions/session.ts';
import type { Commit } from '../../src/store/store.ts';
import { delivery, payment, state } from '../store/samples.ts';
import { deferred, deliveriesJob, partsWith, paymentsJob, sessionOn, sessionWith } from './session-under-test.ts';

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
  const { entries = [] } = session.history.recorded ?? {};
  expect(entries.map((entry) => ('of' in entry ? [entry.of, entry.at] : []))).toEqual([
    ['the begin of a move of the clock', 0],
    ['a move of the clock', 0],
    ['test-payment payment-1', 50],
    ['a move of the clock', 50],
  ]);
});

it('of a move of the clock tells what happened in it, and not what a slow disk keeps meanwhile', async () => {
  const { errors: _, ...parts } = await partsWith();
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
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), {
    ...parts,
    store,
  });
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
