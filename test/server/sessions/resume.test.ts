// A session may be resumed at any time, even while its deliveries are sent.
import fc from 'fast-check';
import { Refusal } from '../../../src/base/refusal.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { networkJob } from '../../../src/server/sessions/job.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { delivery } from '../store/samples.ts';
import { deferred, isIdle, sessionOn, waitForTurns } from './session-under-test.ts';

/** An attempt that waits for its answer. */
interface SentAttempt {
  id: string;
  dueAt: number;
  answer(outcome: 'again' | 'done'): void;
}

/** A session with deliveries that the test answers, on a disk that may be full. */
async function sessionOfDeliveries() {
  const open: SentAttempt[] = [];
  const all: SentAttempt[] = [];
  const deliveries = networkJob<'deliveries', 'again' | 'done'>({
    kind: 'test-delivery',
    collection: 'deliveries',
    lane: ({ id }) => ({ name: id, width: 10 }),
    async send({ id, dueAt }) {
      const gate = deferred<'again' | 'done'>();
      const attempt = { id, dueAt: dueAt ?? Number.NaN, answer: gate.resolve };
      expect(open.map((other) => other.id)).not.toContain(id);
      open.push(attempt);
      all.push(attempt);
      const outcome = await gate.promise;
      open.splice(open.indexOf(attempt), 1);
      return outcome;
    },
    recordAbort: () => undefined,
    recordOutcome(transaction, stored, { dueAt }, outcome) {
      transaction.put('deliveries', { ...stored, dueAt: outcome === 'again' ? (dueAt ?? 0) + 1 : null });
    },
    fail(transaction, stored, failure) {
      transaction.put('deliveries', { ...stored, dueAt: null, failure });
    },
  });
  // The clock is so far ahead that every repeated attempt is due at once.
  const { session, store, errors } = await sessionOn({ mode: 'frozen', now: 1000 }, deliveries);
  const disk = { isFull: false, refused: [] as string[] };
  const commit = store.commit.bind(store);
  const due = store.due.bind(store);
  const onDisk: Pick<Store, 'commit' | 'due'> = {
    async due(...about) {
      const dueRecords = await due(...about);
      // Reading may take a turn of the event loop.
      await endOfTurn();
      return dueRecords;
    },
    async commit(change) {
      await endOfTurn();
      if (disk.isFull) {
        disk.refused.push(...change.changes.map(({ id }) => id));
        throw new Refusal('storage', 'the disk is full');
      }
      return commit(change);
    },
  };
  Object.assign(store, onDisk);
  return { session, disk, open, all, errors };
}

const someSteps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('notify' as const), number: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('answer' as const),
        number: fc.nat(3),
        outcome: fc.constantFrom('again' as const, 'done' as const),
      }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'resume' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'fill the disk' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'recover' as const }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** An attempt whose outcome cannot be stored, so that this case occurs in every run. */
const REFUSED_OUTCOME: typeof someSteps extends fc.Arbitrary<infer Steps> ? Steps : never = [
  { kind: 'notify', number: 1 },
  { kind: 'wait', turns: 4 },
  { kind: 'fill the disk' },
  { kind: 'answer', number: 0, outcome: 'done' },
  { kind: 'wait', turns: 4 },
];

it('a session sends each attempt once, and repeats it only if its result could not be stored', async () => {
  let refusedOutcomes = 0;
  await fc.assert(
    fc.asyncProperty(someSteps, async (steps) => {
      const { session, disk, open, all, errors } = await sessionOfDeliveries();
      const recover = () => {
        disk.isFull = false;
        return session.resume();
      };
      const deliveryIds = new Set<string>();
      for (const step of steps) {
        if (step.kind === 'notify' && !disk.isFull) {
          const id = `delivery-${step.number}`;
          // Once for each id, because a second record with the same id would be a different delivery.
          if (!deliveryIds.has(id)) {
            deliveryIds.add(id);
            await session.transact(async (transaction) => transaction.put('deliveries', delivery(id, 0)));
          }
        } else if (step.kind === 'answer') {
          open[step.number]?.answer(step.outcome);
        } else if (step.kind === 'resume') {
          void session.resume();
        } else if (step.kind === 'fill the disk') {
          disk.isFull = true;
        } else if (step.kind === 'recover') {
          void recover();
        } else if (step.kind === 'wait') {
          await waitForTurns(step.turns);
        }
      }
      await recover();
      while (!isIdle(session)) {
        open[0]?.answer('done');
        await waitForTurns(1);
      }
      for (const id of deliveryIds) {
        expect(session.reader.get('deliveries', id)).toMatchObject({ dueAt: null });
        const attempts = all.filter((attempt) => attempt.id === id).map(({ dueAt }) => dueAt);
        const refused = disk.refused.filter((each) => each === id).length;
        expect(attempts.length - new Set(attempts).size).toBeLessThanOrEqual(refused);
        refusedOutcomes += refused;
      }
      expect(errors).toEqual([]);
    }),
    { numRuns: cases(200), examples: [[REFUSED_OUTCOME]] },
  );
  expect(refusedOutcomes).toBeGreaterThan(0);
});
