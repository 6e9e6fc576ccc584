import { Mutex } from '../../../../base/mutex.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { Balances } from './account-balances.ts';
import { entriesBetween } from './walk-records.ts';

type Books = Pick<Reader, 'find' | 'timeline' | 'lastCommitted'>;

/** Balances that are extended by the new entries at each use. */
class RunningBalances {
  readonly #balances = new Balances();
  #lastMove = 0;
  readonly #mutex = new Mutex();

  add(books: Books): Promise<Balances> {
    return this.#mutex.run(() => this.#addNext(books));
  }

  async #addNext(books: Books): Promise<Balances> {
    for await (const entry of entriesBetween(books, { from: this.#lastMove + 1, to: books.lastCommitted('move') })) {
      this.#balances.post(entry);
      this.#lastMove = entry.move;
    }
    return this.#balances;
  }
}

/** By timeline of a session: created at the first use, and removed with the timeline. */
const BALANCES_BY_TIMELINE = new WeakMap<object, RunningBalances>();

/** The balances of a session's accounts by its committed moves. The first call reads all entries, later calls only new ones. */
export function balancesOf(books: Books): Promise<Balances> {
  const balances = BALANCES_BY_TIMELINE.get(books.timeline) ?? new RunningBalances();
  BALANCES_BY_TIMELINE.set(books.timeline, balances);
  return balances.add(books);
}
