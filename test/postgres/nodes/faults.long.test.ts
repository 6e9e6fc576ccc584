import { builtProgram } from '../../../scripts/build/built-program.mjs';
import { checkCluster } from '../../../scripts/cluster/check.mjs';
import { play, STORY_NAMES } from '../../../scripts/cluster/stories.mjs';
import { startPostgres } from '../../../scripts/postgres/server.mjs';

// The long form is `npm run check-cluster`.
describe('failing nodes with a failing PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false, maxConnections: 200 });
  });
  afterAll(() => postgres.stop());

  it('lose no confirmed change, and never answer with outdated data', async () => {
    const { violations, figures } = await checkCluster(postgres, {
      seed: 1,
      faults: 6,
      payments: 100,
      clients: 24,
      maxGapMs: 1000,
      program: builtProgram(),
    });
    expect(violations).toEqual([]);
    expect(figures.payments).toBeGreaterThanOrEqual(100);
  });

  it.each(STORY_NAMES)('preserve all confirmed changes during %s', async (name) => {
    expect(await play(name, postgres, builtProgram())).toEqual([]);
  });
});
