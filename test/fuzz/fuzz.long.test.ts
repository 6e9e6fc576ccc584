import { attacks } from './attack.ts';
import { campaign, describeFailure } from './campaign.ts';
import { Counts } from './tally.ts';

const counts = new Counts();

it('answers whatever comes in, in the form of the entry point that it came to, and starts again from its file', async () => {
  const failure = await campaign(await attacks(), {
    seed: 1,
    requests: 500,
    goesOn: (leg) => leg < 2,
    tally: counts.add,
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
});

it('gets through often enough to see more than refusals', () => {
  expect(counts.accepted).toBeGreaterThan(1 / 4);
});
