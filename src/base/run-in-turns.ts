import type { Steps } from './steps.ts';
import { newTurnPause } from './timers.ts';

/** Runs the steps, and lets other work run every few milliseconds, so that large work does not delay other requests. */
export async function runInTurns<Result>(steps: Steps<Result>, pause = newTurnPause()): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const paused = pause();
    if (paused) {
      await paused;
    }
    step = steps.next();
  }
  return step.value;
}

/** Maps each item, in turns. The items must not change before it resolves. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  make: (item: Item) => Mapped | Promise<Mapped>,
): Promise<Mapped[]> {
  const pause = newTurnPause();
  const mapped: Mapped[] = [];
  for (const item of items) {
    mapped.push(await make(item));
    await pause();
  }
  return mapped;
}

export async function filterInTurns<Item>(items: readonly Item[], isWanted: (item: Item) => boolean): Promise<Item[]> {
  const verdicts = await mapInTurns(items, isWanted);
  return items.filter((_, index) => verdicts[index]);
}
