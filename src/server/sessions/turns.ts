import { Mutex } from '../../base/mutex.ts';
import { endOfTurn } from '../../base/timers.ts';

/** Runs what is due in a session and moves its clock, one after another. */
export class Turns {
  readonly #mutex = new Mutex();
  #moves = 0;
  #catchingUp: Promise<void> | undefined;
  #isPlanned = false;

  /** Resolves when what was due has begun, and is done where it needs no network; undefined where nothing was. Moves are not waited for. */
  get catchingUp(): Promise<void> | undefined {
    return this.#moves === 0 ? this.#catchingUp : undefined;
  }

  /** Resolves when all is over that was begun before. */
  get over(): Promise<void> {
    return this.#mutex.idle();
  }

  /** Moves the clock. */
  move<T>(work: () => Promise<T>): Promise<T> {
    this.#moves += 1;
    return this.#mutex.run(work).finally(() => {
      this.#moves -= 1;
    });
  }

  /** Runs what is due once the answers of this turn have left. Undefined where that is planned already. */
  catchUp(work: () => Promise<void>): Promise<void> | undefined {
    if (this.#isPlanned) {
      return undefined;
    }
    this.#isPlanned = true;
    const run = endOfTurn()
      .then(() => {
        this.#isPlanned = false;
        return this.#mutex.run(work);
      })
      .finally(() => {
        if (this.#catchingUp === over) {
          this.#catchingUp = undefined;
        }
      });
    const over = run.catch(() => undefined);
    this.#catchingUp = over;
    return run;
  }
}
