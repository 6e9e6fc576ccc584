import fc from 'fast-check';
import { isRefusedAs, OutcomeUnknown, Refusal } from '../../../src/base/refusal.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { StaleGeneration } from '../../../src/server/sessions/generation.ts';
import { Session } from '../../../src/server/sessions/session.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { payment, state } from '../store/samples.ts';
import { partsWith } from './session-under-test.ts';

/** What becomes of a commit in the store, and what the store says of it. */
const FATES = ['kept', 'refused', 'unknown, and kept', 'unknown, and lost'] as const;
type Fate = (typeof FATES)[number];
/** What a step of a call does: changes something, reads, or refuses for a reason unrelated to the store. */
const STEPS = ['change', 'look', 'say no'] as const;
type Step = (typeof STEPS)[number];

/** How a store says that it has kept nothing. Where it says `moved`, the session is another node's from then on. */
const LOSSES = ['storage', 'moved'] as const;

/** A session whose commits meet the fates in turn, and then are kept. What was kept in the end is in the journal. */
async function sessionWithFates(fates: readonly Fate[], loss: (typeof LOSSES)[number]) {
  const parts = await partsWith();
  const { store } = parts;
  const commit = store.commit.bind(store);
  const journal: string[] = [];
  let commits = 0;
  let losses = 0;
  let tail: Promise<unknown> = Promise.resolve();
  const refused = () => new Refusal(loss, 'nothing was kept; send the call again');
  const isElsewhere = () => loss === 'moved' && losses > 0;
  const meet = async (fate: Fate, change: Commit, lossesBefore: number) => {
    await endOfTurn();
    // What stands on a commit that is not kept, or perhaps not, is not kept either.
    if (losses !== lossesBefore || isElsewhere()) {
      throw refused();
    }
    if (fate === 'kept' || fate === 'unknown, and kept') {
      journal.push(...change.changes.map(({ id }) => id));
    }
    if (fate === 'kept') {
      return commit(change);
    }
    losses += 1;
    if (loss === 'moved') {
      session.end('evicted');
    }
    throw fate === 'refused' ? refused() : new OutcomeUnknown('nobody answered', refused());
  };
  store.commit = (change) => {
    const [fate, lossesBefore] = [fates[commits] ?? 'kept', losses];
    commits += 1;
    const met = tail.then(() => meet(fate, change, lossesBefore));
    tail = met.catch(() => undefined);
    return met;
  };
  store.assertOwned = () => {
    if (isElsewhere()) {
      throw refused();
    }
  };
  const clock = { mode: 'frozen', now: 0 } as const;
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), parts);
  return { session, journal };
}

async function take(session: Session, step: Step, id: string): Promise<void> {
  if (step === 'look') {
    await session.read(async (reader) => reader.get('payments', id));
  } else {
    await session.transact(async (transaction) => {
      if (step === 'say no') {
        throw new Refusal('conflict', 'no');
      }
      transaction.put('payments', payment(id));
    });
  }
}

/** What a call of several steps is told, and which of its changes the store has in the end. */
async function callAll(fates: readonly Fate[], loss: (typeof LOSSES)[number], calls: readonly (readonly Step[])[]) {
  const { session, journal } = await sessionWithFates(fates, loss);
  const told = calls.map(async (steps, call) => {
    const ids = steps.map((_, step) => `payment-${call + 1}${step + 1}`);
    const changes = ids.filter((_, step) => steps[step] === 'change');
    try {
      await session.calls.change(async () => {
        for (const [step, id] of ids.entries()) {
          await take(session, steps[step] ?? 'look', id);
        }
      });
      return { changes, error: undefined };
    } catch (error) {
      return { changes, error };
    }
  });
  return (await Promise.all(told)).map(({ changes, error }) => ({
    error,
    changes,
    kept: changes.filter((id) => journal.includes(id)),
  }));
}

const someCalls = fc.array(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});

it.each(LOSSES)('an outcome never denies changes of a call that were made, for any loss (%s)', async (loss) => {
  const times = { answered: 0, refused: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 6 }), someCalls, async (fates, calls) => {
      for (const { error, changes, kept } of await callAll(fates, loss, calls)) {
        if (error === undefined) {
          times.answered += 1;
          expect(kept).toEqual(changes);
        } else if (isRefusedAs(error, 'moved', 'storage')) {
          times.refused += 1;
          expect(kept).toEqual([]);
        } else if (error instanceof OutcomeUnknown) {
          times.unknown += 1;
          expect([error.headers, error.message]).toEqual([{}, expect.not.stringContaining('send')]);
        } else {
          expect(error).toMatchObject({ kind: 'conflict' });
        }
      }
    }),
    // With fewer, some outcome may not occur.
    { numRuns: Math.max(100, cases(200)) },
  );
  expect(Object.values(times).every((count) => count > 0)).toBe(true);
});

it.each(LOSSES)('an outcome says that nothing was done if the store is certain of it (%s)', async (loss) => {
  const [refused] = await callAll(['refused'], loss, [['look', 'change']]);
  expect(refused).toMatchObject({ error: { kind: loss }, kept: [] });
  // The same holds for a call that depends on a change with an unknown outcome, or has only read it.
  const { session, journal } = await sessionWithFates(['unknown, and kept'], loss);
  const told = [
    take(session, 'change', 'payment-1'),
    session.transact(async (transaction) => transaction.get('payments', 'payment-1')),
    take(session, 'change', 'payment-2'),
  ];
  const kinds = (await Promise.allSettled(told)).map((each) => each.status === 'rejected' && each.reason.kind);
  expect([kinds, journal]).toEqual([['outcome-unknown', loss, loss], ['payment-1']]);
});

it('an outcome is unknown, too, if that of a step was unknown and its error was caught, as by a job', async () => {
  const { session } = await sessionWithFates(['unknown, and kept'], 'moved');
  const moved = session.calls.change(async () => {
    await take(session, 'change', 'payment-1').catch(() => undefined);
    await take(session, 'look', 'payment-1');
  });
  await expect(moved).rejects.toMatchObject({ kind: 'outcome-unknown' });
});

it('an outcome says that a reset overtook a call only if the reset was stored', async () => {
  for (const [fate, kind] of [
    ['kept', 'session-ended'],
    ['refused', 'outcome-unknown'],
  ] as const) {
    const { session } = await sessionWithFates(['kept', fate], 'storage');
    const { generation } = session;
    await take(session, 'change', 'payment-1');
    const reset = session.reset().catch(() => undefined);
    await endOfTurn();
    const overtaken = await session.calls.confirmRefusal(new StaleGeneration('shop', 'reset'));
    await reset;
    expect([generation.ended, overtaken]).toEqual([true, expect.objectContaining({ kind })]);
  }
});
