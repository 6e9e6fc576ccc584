/** Runs tasks one after another, in the order of the calls, whether or not an earlier one failed. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Resolves when all tasks that were queued before have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
