/** Work in steps, between which other work of the process can run. */
export type Steps<Result> = Generator<undefined, Result>;

/** Shows when a step should end, by the number of characters of a text that it has read. */
export class TextSteps {
  #end = CHARACTERS_OF_A_STEP;

  isEndAt(at: number): boolean {
    if (at <= this.#end) {
      return false;
    }
    this.#end = at + CHARACTERS_OF_A_STEP;
    return true;
  }
}

export const CHARACTERS_OF_A_STEP = 65_536;

/** Runs all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    step = steps.next();
  }
  return step.value;
}
