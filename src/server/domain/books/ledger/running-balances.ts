import { Mutex } from '../../../../base/mutex.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { Balances } from './account-balances.ts';
import { entriesBetween } from './walk-records.ts';

type Books = Pick<Reader, 'find' | 'timeline' | 'lastCommitted'>;

/** Balances to which each use adds the new entries. */
class RunningBalances {
  readonly #balances = new Balances();
  #lastMove = 0;
  readonly #mutex = new Mutex();

  update(books: Books): Promise<Balances> {
    return this.#mutex.run(() => this.#postNewEntries(books));
  }

  async #postNewEntries(books: Books): Promise<Balances> {
    for await (const entry of entriesBetween(books, { from: this.#lastMove + 1, to: books.lastCommitted('move') })) {
      this.#balances.post(entry);
      this.#lastMove = entry.move;
    }
    return this.#balances;
  }
}

/** By timeline of a session: created at the first use, and removed with the timeline. */
const RUNNING_BALANCES = new WeakMap<object, RunningBalances>();

/** The balances of a session's accounts by its committed moves. The first call reads all entries, later calls only new ones. */
export function balancesOf(books: Books): Promise<Balances> {
  const balances = RUNNING_BALANCES.get(books.timeline) ?? new RunningBalances();
  RUNNING_BALANCES.set(books.timeline, balances);
  return balances.update(books);
}
