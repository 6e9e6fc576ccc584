import fc from 'fast-check';
import { runSteps } from '../../src/base/steps.ts';
import { cases } from '../cases.ts';
import { anyStep, runOut, setUp } from './commands.ts';
import { checkLedger, checkReplays, checkWorld, type Model, newModel } from './model.ts';
import { World } from './world.ts';

/** `npm run simulate -- --runs N --seed S` plays more histories, or repeats those of a seed. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? cases(200));
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const STEPS = 25;

type StorageKind = 'on files' | 'in memory';

async function play(steps: Iterable<fc.AsyncCommand<Model, World>>, storage: StorageKind): Promise<string[]> {
  const world = await World.create(storage);
  try {
    const model = newModel();
    await setUp(world, model);
    await fc.asyncModelRun(() => ({ model, real: world }), steps);
    await runOut(world, model);
    await checkWorld(world, model);
    await checkLedger(world);
    checkReplays(await world.session.reader.all('deliveries'), model);
    expect(runSteps(world.session.scheduler.inspect())).toEqual([]);
    expect(world.parked).toEqual([]);
    const { session } = world;
    return [
      ...model.trace,
      JSON.stringify([await session.reader.all('payments'), await session.reader.all('deliveries')]),
    ];
  } finally {
    await world.close();
  }
}

// A history on files takes ten times as long, so fewer are played. Each test plays only a part of the histories, so that no test
// exceeds its time limit, however many runs there are.
describe.each([
  ['in memory', RUNS, 100],
  ['on files', Math.ceil(RUNS / 20), 20],
] as const)('histories of a session %s', (storage, runs, runsPerPart) => {
  const parts = Array.from({ length: Math.ceil(runs / runsPerPart) }, (_, index) => index);
  it.each(parts)('keep every invariant (part %d)', async (part) => {
    const numRuns = Math.min(runsPerPart, runs - part * runsPerPart);
    const steps = fc.commands(anyStep(), { maxCommands: STEPS, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        await play(history, storage);
      }),
      { numRuns, seed: SEED + part },
    );
  });
});

it('the same history on files leaves the same payments and deliveries each time', async () => {
  const history = () => {
    const steps = fc.commands(anyStep(), { maxCommands: 60, size: 'max' });
    return fc.sample(steps, { numRuns: 1, seed: 7 })[0] ?? [];
  };
  const first = await play(history(), 'on files');
  expect(first.length).toBeGreaterThan(20);
  expect(await play(history(), 'on files')).toEqual(first);
});
