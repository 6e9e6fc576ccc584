import { join } from 'node:path';
import { randomFrom } from '../random.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { KillRun } from './kill-run.ts';

/** `npm run crash -- --kills N --seed S` sets the number of kills, and the seed that repeats their moments. */
const KILLS = Number(process.env['KILLS'] ?? 8);
const SEED = Number(process.env['CRASH_SEED'] ?? 1);
const newFolder = temporaryFolders();

it(
  'a kill at any moment loses no answered call, and leaves no partial change',
  async () => {
    const file = join(newFolder(), 'state.json');
    const run = new KillRun(file, randomFrom(SEED));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      expect({ kill, lost: await run.kill() }).toEqual({ kill, lost: [] });
    }
    expect(await run.stop()).toEqual({ lost: [], code: 0 });
    expect(run.counts.answered).toBeGreaterThan(KILLS);
    if (process.env['KILLS']) {
      const { answered, midCheckpoint, ...moments } = run.counts;
      process.stderr.write(
        `${KILLS} kills ${JSON.stringify(moments)}, ${midCheckpoint} during a checkpoint: ` +
          `${answered} changes were answered, 0 are lost\n`,
      );
    }
  },
  60_000 + KILLS * 10_000,
);
