import type { Steps } from './steps.ts';
import { pauses } from './timers.ts';

/** Takes the steps in turns, so that large work holds up nobody. */
export async function runInTurns<Result>(steps: Steps<Result>, pause = pauses()): Promise<Result> {
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
