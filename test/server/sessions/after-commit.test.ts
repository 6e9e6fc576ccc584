import fc from 'fast-check';
import type { CausingCall } from '../../../src/server/sessions/call-context.ts';
import { Session } from '../../../src/server/sessions/session.ts';
import { cases } from '../../cases.ts';
import { payment, state } from '../store/samples.ts';
import { partsWith, paymentsJob } from './session-under-test.ts';

/** The side effects of a stored commit, any of which may throw. */
const SIDE_EFFECTS = ['cause', 'scheduler', 'changes', 'events', 'onPublished', 'clock', 'requests'] as const;
type SideEffect = (typeof SIDE_EFFECTS)[number];

/** A session in which the `failing` side effects of every commit throw. Other listeners count the notifications. */
async function sessionWithFailing(failing: ReadonlySet<SideEffect>) {
  const notified: Record<string, number> = {};
  const runs: string[] = [];
  const { errors, hooks, ...parts } = await partsWith(
    paymentsJob((id) => {
      runs.push(id);
      return undefined;
    }),
  );
  const fail = (sideEffect: SideEffect) => {
    if (failing.has(sideEffect)) {
      throw new Error(sideEffect);
    }
  };
  const count = (sideEffect: SideEffect) => {
    notified[sideEffect] = (notified[sideEffect] ?? 0) + 1;
  };
  const clock = { mode: 'frozen', now: 0 } as const;
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), {
    ...parts,
    hooks: { ...hooks, onPublished: () => fail('onPublished') },
  });
  const schedule = session.scheduler.onCommit.bind(session.scheduler);
  session.scheduler.onCommit = (changes) => {
    fail('scheduler');
    schedule(changes);
  };
  session.changes.add(() => fail('changes'));
  session.changes.add(() => count('changes'));
  session.events.listen(() => fail('events'));
  session.events.listen(() => count('events'));
  session.clock.listeners.add(() => fail('clock'));
  session.clock.listeners.add(() => count('clock'));
  session.requests.listen(
    () => undefined,
    () => fail('requests'),
  );
  const cause: CausingCall = { id: 'request-1', addCommit: () => fail('cause') };
  return { session, cause, notified, runs, errors };
}

it('a stored change is answered, and side effects that throw are reported and do not prevent the others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray([...SIDE_EFFECTS]), async (names) => {
      const { session, cause, notified, runs, errors } = await sessionWithFailing(new Set(names));
      await session.reset();
      const pay = (id: string) =>
        session.transact(
          async (transaction) => {
            transaction.put('payments', payment(id, { dueAt: 1000 }));
            transaction.emit('payment.created', 'payments', id);
            return id;
          },
          { cause },
        );
      expect(await Promise.all([pay('payment-1'), pay('payment-2')])).toEqual(['payment-1', 'payment-2']);
      await session.clockMover.advance('PT1S');
      expect(session.clock.now()).toBe(1000);
      expect(runs).toEqual(['payment-1', 'payment-2']);
      // Commits: the reset, two payments, two jobs, the move. Events: the reset, two payments. Moves of the clock: one.
      expect(notified).toEqual({ changes: 6, events: 3, clock: 1 });
      const reported = new Set(errors.map((error) => (error as Error).message));
      expect(reported).toEqual(new Set(names));
    }),
    { numRuns: cases(100) },
  );
});

it('a record that cannot be indexed is reported, and does not prevent the jobs of other records', async () => {
  const { session, runs, errors } = await sessionWithFailing(new Set());
  const put = (...ids: string[]) =>
    session.transact(async (transaction) => {
      for (const id of ids) {
        transaction.put('payments', payment(id, { dueAt: 1000 }));
      }
    });
  await put('payment-1', 'payment-2');
  session.scheduler.replaceDue('payments', [
    { id: 'payment-1', dueAt: 1000 },
    { id: 'no number', dueAt: 1000 },
    { id: 'payment-2', dueAt: 1000 },
  ]);
  await session.clockMover.advance('PT1S');
  expect(runs).toEqual(['payment-1', 'payment-2']);
  expect(errors).not.toEqual([]);
});
