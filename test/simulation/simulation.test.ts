import fc from 'fast-check';
import { anyStep, runOut, setUp } from './commands.ts';
import { checkWorld, type Model, newModel } from './model.ts';
import { World } from './world.ts';

/** `npm run simulate -- --runs N --seed S` makes it longer, or plays a history again. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 1000);
const SEED = process.env['SIMULATION_SEED'];
const STEPS = 25;
const CHUNK = 250;

async function play(steps: Iterable<fc.AsyncCommand<Model, World>>): Promise<string[]> {
  const world = await World.create();
  try {
    const model = newModel();
    await setUp(world, model);
    await fc.asyncModelRun(() => ({ model, real: world }), steps);
    await runOut(world, model);
    await checkWorld(world, model);
    expect(world.session.scheduler.inspect()).toEqual([]);
    expect(world.parked).toEqual([]);
    return [
      ...model.trace,
      JSON.stringify(await world.session.all('payments')),
      JSON.stringify(await world.session.all('deliveries')),
    ];
  } finally {
    await world.close();
  }
}

describe(`${RUNS} histories of a session`, () => {
  const chunks = Array.from({ length: Math.ceil(RUNS / CHUNK) }, (_, index) => index);
  it.each(chunks)('keep every promise (part %d)', async (chunk) => {
    const seed = (SEED === undefined ? Date.now() : Number(SEED)) + chunk;
    await fc.assert(
      fc.asyncProperty(fc.commands(anyStep(), { maxCommands: STEPS, size: 'max' }), async (steps) => {
        await play(steps);
      }),
      { numRuns: Math.min(CHUNK, RUNS - chunk * CHUNK), seed, endOnFailure: false },
    );
  });
});

it('the same history leaves the same payments and deliveries', async () => {
  const [steps] = fc.sample(fc.commands(anyStep(), { maxCommands: 60, size: 'max' }), { numRuns: 1, seed: 7 });
  const [again] = fc.sample(fc.commands(anyStep(), { maxCommands: 60, size: 'max' }), { numRuns: 1, seed: 7 });
  expect(await play(steps ?? [])).toEqual(await play(again ?? []));
});
