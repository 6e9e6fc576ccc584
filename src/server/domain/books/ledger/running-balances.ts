import { Mutex } from '../../../../base/mutex.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { Balances } from './account-balances.ts';
import { entriesBetween } from './walk.ts';

type Books = Pick<Reader, 'find' | 'timeline' | 'lastCommitted'>;

/** Adds entries up as the books grow, each once. */
class RunningBalances {
  readonly #balances = new Balances();
  #through = 0;
  readonly #mutex = new Mutex();

  add(books: Books): Promise<Balances> {
    return this.#mutex.run(() => this.#addNext(books));
  }

  async #addNext(books: Books): Promise<Balances> {
    for await (const entry of entriesBetween(books, { from: this.#through + 1, to: books.lastCommitted('move') })) {
      this.#balances.post(entry);
      this.#through = entry.move;
    }
    return this.#balances;
  }
}

/** Made where somebody first asks, and gone with the timeline. */
const BALANCES = new WeakMap<object, RunningBalances>();

/** What stands on the accounts of a session by what is committed. All of it is added up where it is first asked for, then what is new. */
export function balancesOf(books: Books): Promise<Balances> {
  const balances = BALANCES.get(books.timeline) ?? new RunningBalances();
  BALANCES.set(books.timeline, balances);
  return balances.add(books);
}
