/** Work in steps, between which other work of the process may have its turn. */
export type Steps<Result> = Generator<undefined, Result>;

/** Says, while a text is read, when so much was read that the step should end. */
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

/** Takes all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    step = steps.next();
  }
  return step.value;
}
