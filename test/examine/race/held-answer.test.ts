import type { SandboxClient } from '../../../src/client/client.ts';
import { caseOf } from '../../../src/examine/cases/case.ts';
import { holdAnswer } from '../../../src/examine/race/held-answer.ts';

const NOW = '2026-03-01T10:00:00Z';
const QUERY = { isPayment: false, holdMs: 500 };

/** A provider that has held as many answers as `strikes` returns when it is asked. */
function providerWith(strikes: () => number) {
  const used: string[] = [];
  const client = {
    defineScenario: async () => undefined,
    useScenario: async (name: string) => used.push(name),
    clock: async () => ({ now: NOW, nextDue: null }),
    state: async () => ({ faultCounts: [{ strikes: strikes() }] }),
  };
  return { target: { client: client as unknown as SandboxClient }, used };
}

it('an answer that was held and sent between two polls counts as held, with no time left', async () => {
  let polls = 0;
  let hasEnded = false;
  const { target, used } = providerWith(() => {
    polls += 1;
    // The first poll after the start still finds no answer.
    return hasEnded && polls > 2 ? 1 : 0;
  });
  const held = await holdAnswer(target, caseOf([]), QUERY, async () => {
    hasEnded = true;
  });
  expect(held).toEqual({ leftMs: 0, sentAt: NOW });
  expect(used).toEqual(['holding-0', 'examined']);
});

it('a call that causes no status query has no held answer', async () => {
  const { target, used } = providerWith(() => 0);
  expect(await holdAnswer(target, caseOf([]), QUERY, async () => undefined)).toBeUndefined();
  expect(used).toEqual(['holding-0', 'examined']);
});
