/** Runs work one after another, in the order of the calls, whether or not what came before failed. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Resolves when all is over that was begun before. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
