import { cases } from '../../cases.ts';
import { examineRace } from './examine-race.ts';
import { MISTAKES, type Mistake } from './race-shop.ts';

// To try 20 times as many seeds: CASES=20 npm run test:only -- test/examine/race

/** The number of concurrent examinations: several, because they mostly wait. */
const CONCURRENCY = Number(process.env['AT_ONCE'] ?? 3);

/** The invariant that each mistake violates, and races, at least one of which must find it, because timing can hide it in the others. */
const EXPECTED: Readonly<Record<Mistake, { invariant: string; races: readonly string[] }>> = {
  'both complete the order': {
    invariant: 'I2',
    races: [
      'race-return-and-notification-at-once-paid',
      'race-return-and-notification-at-once-late',
      'race-query-and-notification-at-once-paid',
      'race-all-at-once-paid',
    ],
  },
  'the return cancels while the notification pays': {
    invariant: 'I6',
    races: ['race-notification-during-return-paid'],
  },
  'remembered as processed before the order exists': {
    invariant: 'I4',
    races: ['race-notification-before-answer-alone-paid'],
  },
  'locked by the return, and the notification is lost': {
    invariant: 'I9',
    races: ['race-notification-during-return-paid'],
  },
  'an old object is written back': { invariant: 'I2', races: ['race-notification-during-return-paid'] },
  'the second attempt replaces the first': {
    invariant: 'I12',
    races: ['race-success-before-cancellation-late-again', 'race-return-before-success-late-again'],
  },
  'only the last attempt is queried': { invariant: 'I4', races: ['race-reconciler-alone-first-attempt'] },
  'each attempt is locked by itself': { invariant: 'I2', races: ['race-two-successes-at-once-both-attempts'] },
  'each paid attempt is shipped': { invariant: 'I2', races: ['race-two-successes-both-attempts'] },
  'the query string is believed': { invariant: 'I1', races: ['race-return-changed-failed'] },
};

/** Calls a function for each seed from 1, several at a time. */
async function forSeeds<T>(count: number, work: (seed: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let lastSeed = 0;
  const worker = async () => {
    while (lastSeed < count) {
      lastSeed += 1;
      const seed = lastSeed;
      results[seed - 1] = await work(seed);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

/** A shop in this process cannot be killed, and its customer gets an order only after the payment request was answered. */
const NOT_TRIED = /^race-(?:return-before-answer|killed)/;

/** The verdicts that a correct shop must not get. */
async function listProblems(seed: number, only: readonly string[]): Promise<string[]> {
  const { verdicts } = await examineRace({ seed, only });
  return verdicts
    .filter(({ verdict, situation }) => verdict !== 'handled' && !NOT_TRIED.test(situation))
    .map(({ id, verdict, note }) => `seed ${seed}: ${id} is ${verdict}, ${note}`);
}

it('a correct shop has no violations with several seeds', async () => {
  const problems = await forSeeds(cases(5), (seed) => listProblems(seed, ['race']));
  expect(problems.flat()).toEqual([]);
}, 7_200_000);

it.each(MISTAKES)(
  'the races find the mistake "%s" with each seed, and nothing once it is fixed',
  async (mistake) => {
    const { invariant, races } = EXPECTED[mistake];
    const found = await forSeeds(cases(1), async (seed) => {
      const { verdicts } = await examineRace({ mistake, seed, only: races });
      return verdicts
        .filter(({ verdict }) => verdict === 'violated')
        .map((each) => `${each.invariant} ${each.situation}`);
    });
    const isFound = (violated: readonly string[]) => races.some((race) => violated.includes(`${invariant} ${race}`));
    process.stdout.write(`${found.filter(isFound).length} of ${found.length}: ${mistake}\n`);
    expect(found.filter((violated) => !isFound(violated))).toEqual([]);
    const fixedVerdicts = await forSeeds(cases(1), (seed) => listProblems(seed, races));
    expect(fixedVerdicts.flat()).toEqual([]);
  },
  3_600_000,
);
