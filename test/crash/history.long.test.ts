import { join } from 'node:path';
import { randomFrom } from '../random.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { HistoryRun } from './history-run.ts';

/** `npm run crash -- --steps N --seed S` sets the number of steps, and the seed that repeats them. */
const STEPS = Number(process.env['STEPS'] ?? 15);
/** 1 kills the program after each step, 2 after every second one. */
const STEPS_PER_KILL = Number(process.env['STEPS_PER_KILL'] ?? 1);
const SEED = Number(process.env['CRASH_SEED'] ?? 2);
const REPORT_EVERY = 100;
const newFolder = temporaryFolders();

it(
  'after each of many kills, all answered calls have had their effect, and the books balance',
  async () => {
    const run = new HistoryRun(join(newFolder(), 'state.json'), randomFrom(SEED));
    const startedAt = performance.now();
    try {
      for (let step = 1; step <= STEPS; step += 1) {
        expect(await run.step(step % STEPS_PER_KILL === 0)).toEqual([]);
        if (process.env['STEPS'] && step % REPORT_EVERY === 0) {
          const perMinute = Math.round((step / (performance.now() - startedAt)) * 60_000);
          process.stderr.write(`${step} steps, ${perMinute} a minute, no violation\n`);
        }
      }
    } finally {
      await run.stop();
    }
    if (process.env['STEPS']) {
      const counts = [...run.counts].sort(([one], [other]) => (one < other ? -1 : 1));
      process.stderr.write(`${counts.map(([outcome, count]) => `${count} × ${outcome}`).join('\n')}\n`);
    }
  },
  60_000 + STEPS * 10_000,
);
