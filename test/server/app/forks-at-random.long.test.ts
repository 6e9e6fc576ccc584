import { expectForksOfSteps, type ObservedSandbox, startObservedSandbox } from './forked-shops.ts';

const [SESSIONS, SESSIONS_PER_TEST] = [1000, 25];

let observedSandbox: ObservedSandbox;
beforeAll(async () => {
  observedSandbox = await startObservedSandbox();
});
afterAll(() => observedSandbox.close());

it.each(Array.from({ length: SESSIONS / SESSIONS_PER_TEST }, (_, index) => 1000 + index * SESSIONS_PER_TEST))(
  'a fork of a random session matches the session at any step (%i and following)',
  async (first) => {
    for (let seed = first; seed < first + SESSIONS_PER_TEST; seed += 1) {
      await expectForksOfSteps(observedSandbox, seed, 12);
    }
  },
);
