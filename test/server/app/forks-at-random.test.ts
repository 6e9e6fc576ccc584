import { cases } from '../../cases.ts';
import { expectForksOfSteps, expectSameRepeats, type ObservedSandbox, startObservedSandbox } from './forked-shops.ts';

const ACTIONS = 12;

let observedSandbox: ObservedSandbox;
beforeAll(async () => {
  observedSandbox = await startObservedSandbox();
});
afterAll(() => observedSandbox.close());

describe('a fork of a random session', () => {
  it.each(Array.from({ length: cases(12) }, (_, index) => index + 1))('matches the session at any step (%i)', (seed) =>
    expectForksOfSteps(observedSandbox, seed, ACTIONS),
  );

  it.each(Array.from({ length: cases(6) }, (_, index) => index + 1))(
    'answers repeated calls as the session did, and ends with the same content (%i)',
    (seed) => expectSameRepeats(observedSandbox, seed, ACTIONS),
  );
});
