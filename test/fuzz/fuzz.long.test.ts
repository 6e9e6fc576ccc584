import { attacks } from './attack.ts';
import { campaign, describeFailure } from './campaign.ts';
import { Counts } from './tally.ts';

const counts = new Counts();

it('random requests are answered in the form of their entry point, and a restart changes no state', async () => {
  const failure = await campaign(await attacks(), {
    seed: 1,
    requests: 500,
    shouldContinue: (round) => round < 2,
    tally: counts.add,
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
});

it('random requests are accepted often enough to test more than refusals', () => {
  expect(counts.accepted).toBeGreaterThan(1 / 4);
});
