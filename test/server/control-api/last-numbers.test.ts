import fc from 'fast-check';
import { MAX_RECORD_NUMBER } from '../../../src/server/store/record-numbers.ts';
import { cases } from '../../cases.ts';
import { STEPS } from '../../crash/history-steps.ts';
import { type FetchedState, PublicSession } from '../../crash/public-session.ts';
import { randomFrom } from '../../random.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const COUNTERS = ['event', 'move', 'payment', 'payout', 'settlement', 'delivery', 'link', 'paymentToken', 'merchant'];
/** These counters must equal the number of records, so a state with few records cannot have a high one. */
const COUNTED_BY_RECORDS = ['move', 'payment', 'payout', 'settlement'];
const EXCLUDED_STEPS = [
  'set the clock',
  'delete the session',
  'reset',
  'restore a fetched state',
  'import a changed state',
];

let sandbox: Sandbox;
let fresh: FetchedState | undefined;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z'), quiet: true });
  const session = new PublicSession(sandbox.url, 'fresh');
  await session.control('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/' }] });
  fresh = await session.state();
});
afterAll(() => sandbox.close());

function stateWith(counter: string, last: number): object {
  return { ...fresh, state: { ...fresh?.state, counters: { endpoint: 1, [counter]: last } } };
}

/** Waits until nothing is due and no delivery is running, because its result would change the state. */
async function stateAtRest(session: PublicSession): Promise<FetchedState | undefined> {
  for (;;) {
    const state = await session.state();
    const { now, nextDue } = JSON.parse((await session.control('GET', '/clock')).text);
    const deliveries = (state?.['deliveries'] ?? []) as { dueAt: number | null }[];
    const isDelivering = deliveries.some(({ dueAt }) => dueAt !== null && dueAt <= Date.parse(now));
    if (!isDelivering && (nextDue === null || nextDue > now)) {
      return state;
    }
  }
}

function merchantsIn(state: FetchedState | undefined): number {
  return state?.state.counters['merchant'] ?? 0;
}

it.each(COUNTERS)('a state whose counter %s has no number left is refused', async (counter) => {
  const session = new PublicSession(sandbox.url, 'full');
  const { status, text } = await session.control('PUT', '/state', stateWith(counter, MAX_RECORD_NUMBER));
  expect([status, JSON.parse(text).detail]).toEqual([400, expect.stringContaining(`$.state.counters.${counter}`)]);
});

it('a call whose record cannot get a number is refused and stores nothing; the session can be reset and deleted', async () => {
  let number = 0;
  let refused = false;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...COUNTERS.filter((counter) => !COUNTED_BY_RECORDS.includes(counter))),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      async (counter, remaining, seed) => {
        number += 1;
        const session = new PublicSession(sandbox.url, `ends-${number}`);
        const imported = await session.control('PUT', '/state', stateWith(counter, MAX_RECORD_NUMBER - remaining));
        expect([counter, imported.status]).toEqual([counter, 200]);
        const random = randomFrom(seed);
        for (const { name, run } of [...STEPS, ...STEPS].filter((step) => !EXCLUDED_STEPS.includes(step.name))) {
          const before = await stateAtRest(session);
          const answer = await run({ session, random, number: 1, fetched: [] });
          expect([name, (answer?.status ?? 0) >= 500]).toEqual([name, false]);
          if (answer && answer.status >= 400) {
            const after = await stateAtRest(session);
            // An unknown merchant is registered in a separate transaction, even if its payment is refused.
            if (merchantsIn(after) === merchantsIn(before)) {
              expect([name, after]).toEqual([name, before]);
            }
            refused ||= answer.text.includes(`the last number that a ${counter} can have`);
          }
        }
        const last = await session.state();
        expect(last?.state.counters[counter]).toBeLessThanOrEqual(MAX_RECORD_NUMBER);
        expect(await session.control('GET', '/ledger/check')).toMatchObject({ status: 200 });
        expect(await session.control('POST', '/reset')).toMatchObject({ status: 200 });
        expect(await session.control('DELETE', `/sessions/${session.name}`)).toMatchObject({ status: 204 });
      },
    ),
    { numRuns: cases(4), examples: [['event', 1, 1]] },
  );
  expect(refused).toBe(true);
});
