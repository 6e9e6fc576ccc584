import fc from 'fast-check';
import { isRefusedAs, OutcomeUnknown, Refusal } from '../../../src/base/refusal.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { StaleGeneration } from '../../../src/server/sessions/generation.ts';
import { Session } from '../../../src/server/sessions/session.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { payment, state } from '../store/samples.ts';
import { partsWith } from './session-under-test.ts';

/** The outcomes of a commit in the store. With an unknown one, the caller is not told whether the commit was stored. */
const COMMIT_OUTCOMES = ['stored', 'refused', 'unknown, and stored', 'unknown, and lost'] as const;
type CommitOutcome = (typeof COMMIT_OUTCOMES)[number];
/** The steps of a call: a change, a read, or a refusal for a reason unrelated to the store. */
const STEPS = ['change', 'read', 'refuse'] as const;
type Step = (typeof STEPS)[number];

/** The refusals of a lost commit. After `moved`, another node has the session. */
const LOSSES = ['storage', 'moved'] as const;

/** A session whose commits have these outcomes in turn; later ones are stored. The journal has the ids of all stored records. */
async function sessionWithOutcomes(outcomes: readonly CommitOutcome[], loss: (typeof LOSSES)[number]) {
  const parts = await partsWith();
  const { store } = parts;
  const commit = store.commit.bind(store);
  const journal: string[] = [];
  let commits = 0;
  let losses = 0;
  let previous: Promise<unknown> = Promise.resolve();
  const newRefusal = () => new Refusal(loss, 'nothing was stored; send the call again');
  const isElsewhere = () => loss === 'moved' && losses > 0;
  const applyOutcome = async (outcome: CommitOutcome, change: Commit, lossesBefore: number) => {
    await endOfTurn();
    // A commit that depends on one that was lost, or may have been, is refused, too.
    if (losses !== lossesBefore || isElsewhere()) {
      throw newRefusal();
    }
    if (outcome === 'stored' || outcome === 'unknown, and stored') {
      journal.push(...change.changes.map(({ id }) => id));
    }
    if (outcome === 'stored') {
      return commit(change);
    }
    losses += 1;
    if (loss === 'moved') {
      session.end('evicted');
    }
    throw outcome === 'refused' ? newRefusal() : new OutcomeUnknown('nobody answered', newRefusal());
  };
  store.commit = (change) => {
    const [outcome, lossesBefore] = [outcomes[commits] ?? 'stored', losses];
    commits += 1;
    const result = previous.then(() => applyOutcome(outcome, change, lossesBefore));
    previous = result.catch(() => undefined);
    return result;
  };
  store.assertOwned = () => {
    if (isElsewhere()) {
      throw newRefusal();
    }
  };
  const clock = { mode: 'frozen', now: 0 } as const;
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), parts);
  return { session, journal };
}

async function runStep(session: Session, step: Step, id: string): Promise<void> {
  if (step === 'read') {
    await session.read(async (reader) => reader.get('payments', id));
  } else {
    await session.transact(async (transaction) => {
      if (step === 'refuse') {
        throw new Refusal('conflict', 'no');
      }
      transaction.put('payments', payment(id));
    });
  }
}

/** Makes calls of several steps at once. Returns the error of each, and which of its changes were stored. */
async function callAll(
  outcomes: readonly CommitOutcome[],
  loss: (typeof LOSSES)[number],
  calls: readonly (readonly Step[])[],
) {
  const { session, journal } = await sessionWithOutcomes(outcomes, loss);
  const results = calls.map(async (steps, call) => {
    const ids = steps.map((_, step) => `payment-${call + 1}${step + 1}`);
    const changes = ids.filter((_, step) => steps[step] === 'change');
    try {
      await session.callOutcomes.run(async () => {
        for (const [step, id] of ids.entries()) {
          await runStep(session, steps[step] ?? 'read', id);
        }
      });
      return { changes, error: undefined };
    } catch (error) {
      return { changes, error };
    }
  });
  return (await Promise.all(results)).map(({ changes, error }) => ({
    error,
    changes,
    stored: changes.filter((id) => journal.includes(id)),
  }));
}

const someCalls = fc.array(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});

it.each(LOSSES)('a call whose changes were stored is never told that it had no effect (%s)', async (loss) => {
  const times = { answered: 0, refused: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...COMMIT_OUTCOMES), { maxLength: 6 }),
      someCalls,
      async (outcomes, calls) => {
        for (const { error, changes, stored } of await callAll(outcomes, loss, calls)) {
          if (error === undefined) {
            times.answered += 1;
            expect(stored).toEqual(changes);
          } else if (isRefusedAs(error, 'moved', 'storage')) {
            times.refused += 1;
            expect(stored).toEqual([]);
          } else if (error instanceof OutcomeUnknown) {
            times.unknown += 1;
            expect([error.headers, error.message]).toEqual([{}, expect.not.stringContaining('send')]);
          } else {
            expect(error).toMatchObject({ kind: 'conflict' });
          }
        }
      },
    ),
    // With fewer runs, some outcome may not occur.
    { numRuns: Math.max(100, cases(200)) },
  );
  expect(Object.values(times).every((count) => count > 0)).toBe(true);
});

it.each(LOSSES)('a call is told that it had no effect only if the store is certain (%s)', async (loss) => {
  const [refused] = await callAll(['refused'], loss, [['read', 'change']]);
  expect(refused).toMatchObject({ error: { kind: loss }, stored: [] });
  // The same holds for a call that depends on a change with an unknown outcome, or has only read it.
  const { session, journal } = await sessionWithOutcomes(['unknown, and stored'], loss);
  const results = [
    runStep(session, 'change', 'payment-1'),
    session.transact(async (transaction) => transaction.get('payments', 'payment-1')),
    runStep(session, 'change', 'payment-2'),
  ];
  const kinds = (await Promise.allSettled(results)).map((each) => each.status === 'rejected' && each.reason.kind);
  expect([kinds, journal]).toEqual([['outcome-unknown', loss, loss], ['payment-1']]);
});

it('the outcome of a call is unknown if the outcome of one of its steps was, even if that error was caught', async () => {
  const { session } = await sessionWithOutcomes(['unknown, and stored'], 'moved');
  const call = session.callOutcomes.run(async () => {
    await runStep(session, 'change', 'payment-1').catch(() => undefined);
    await runStep(session, 'read', 'payment-1');
  });
  await expect(call).rejects.toMatchObject({ kind: 'outcome-unknown' });
});

it('a call is refused because of a reset only if the reset was stored', async () => {
  for (const [outcome, kind] of [
    ['stored', 'session-ended'],
    ['refused', 'outcome-unknown'],
  ] as const) {
    const { session } = await sessionWithOutcomes(['stored', outcome], 'storage');
    const { generation } = session;
    await runStep(session, 'change', 'payment-1');
    const reset = session.reset().catch(() => undefined);
    await endOfTurn();
    const refusal = await session.callOutcomes.confirmRefusal(new StaleGeneration('shop', 'reset'));
    await reset;
    expect([generation.hasEnded, refusal]).toEqual([true, expect.objectContaining({ kind })]);
  }
});
