/** Work in steps, between which other work of the process may have its turn. */
export type Steps<Result> = Generator<undefined, Result>;

/** Takes all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) {
    step = steps.next();
  }
  return step.value;
}
