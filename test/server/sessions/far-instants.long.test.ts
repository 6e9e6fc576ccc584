import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { LAST_CLOCK_INSTANT } from '../../../src/base/time.ts';
import { cases } from '../../cases.ts';
import { STEPS } from '../../crash/history-steps.ts';
import { PublicSession } from '../../crash/public-session.ts';
import { randomFrom } from '../../random.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();
const LONGEST = 'P1000Y';
/** A year that timestamps cannot represent. */
const FAR_YEAR = /[+-]\d{6}-\d\d-\d\d/;
/** Steps after which the session may not have the time that the test set. */
const OMITTED_STEPS = ['set the clock', 'delete the session', 'import a changed state'];

/** A sandbox with the longest durations that fixtures can have, and a local offset. */
async function sandboxWithLongDurations(localOffset: string): Promise<Sandbox> {
  const fixtures = newFolder();
  mkdirSync(fixtures, { recursive: true });
  const times = {
    localOffset,
    notificationOffset: localOffset,
    accessTokenLifetime: LONGEST,
    paymentTokenLifetime: LONGEST,
    payoutDuration: LONGEST,
    returnDuration: LONGEST,
    webhookRetries: [LONGEST, 'PT0S'],
  };
  writeFileSync(join(fixtures, 'times.json'), JSON.stringify(times));
  writeFileSync(
    join(fixtures, 'settlement.json'),
    JSON.stringify({ delayDays: 365, weekend: ['Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday'] }),
  );
  return startSandbox({ fixtures, checkAnswers: true, webhookUrl: 'http://127.0.0.1:9/' });
}

const anyInstant = fc.oneof(
  fc.integer({ min: 0, max: 200_000_000 }),
  fc.integer({ min: 0, max: 200_000_000 }).map((before) => LAST_CLOCK_INSTANT - before),
  fc.integer({ min: 0, max: LAST_CLOCK_INSTANT }),
);

// Answers and exported states are checked here; in all tests, each commit is read again (see jest.config.mjs).
it.each(['-12:00', '+14:00'])(
  'everything can be written and read at any instant, with the local offset %s',
  async (localOffset) => {
    const sandbox = await sandboxWithLongDurations(localOffset);
    let number = 0;
    await fc.assert(
      fc.asyncProperty(anyInstant, fc.nat(), async (now, seed) => {
        number += 1;
        const session = new PublicSession(sandbox.url, `far-${number}`);
        const instant = new Date(now).toISOString();
        expect(await session.control('PUT', '/clock', { mode: 'frozen', now: instant })).toMatchObject({ status: 200 });
        const random = randomFrom(seed);
        for (let step = 1; step <= 2; step += 1) {
          for (const { name, run } of STEPS.filter((each) => !OMITTED_STEPS.includes(each.name))) {
            const answer = await run({ session, random, number: step, fetched: [] });
            expect([name, answer?.text.match(FAR_YEAR)?.[0], (answer?.status ?? 0) >= 500]).toEqual([
              name,
              undefined,
              false,
            ]);
          }
        }
        const state = await session.state();
        expect(JSON.stringify(state)).not.toMatch(FAR_YEAR);
        expect(await session.control('PUT', '/state', state)).toMatchObject({ status: 200 });
        expect(await session.control('DELETE', `/sessions/${session.name}`)).toMatchObject({ status: 204 });
      }),
      { numRuns: cases(5) },
    );
    await sandbox.close();
  },
);
