/** Work in steps, between which other work of the process can run. */
export type Steps<Result> = Generator<undefined, Result>;

/** Ends a step once it has read enough characters of a text; `tryEndStep` returns whether it did. */
export class TextSteps {
  #end = MAX_STEP_CHARACTERS;

  tryEndStep(at: number): boolean {
    if (at <= this.#end) {
      return false;
    }
    this.#end = at + MAX_STEP_CHARACTERS;
    return true;
  }
}

export const MAX_STEP_CHARACTERS = 65_536;

/** Runs all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    step = steps.next();
  }
  return step.value;
}
