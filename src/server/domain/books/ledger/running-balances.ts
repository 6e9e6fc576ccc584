import { Mutex } from '../../../../base/mutex.ts';
import type { Epoch, Reader } from '../../../sessions/reader.ts';
import { Balances } from './account-balances.ts';
import { entriesBetween } from './walk-records.ts';

type BooksReader = Pick<Reader, 'find' | 'epoch' | 'lastCommitted'>;

/** Balances to which each update adds the new entries. */
class RunningBalances {
  readonly #balances = new Balances();
  #lastMove = 0;
  readonly #mutex = new Mutex();

  update(reader: BooksReader): Promise<Balances> {
    return this.#mutex.run(() => this.#postNewEntries(reader));
  }

  async #postNewEntries(reader: BooksReader): Promise<Balances> {
    for await (const entry of entriesBetween(reader, { from: this.#lastMove + 1, to: reader.lastCommitted('move') })) {
      this.#balances.post(entry);
      this.#lastMove = entry.move;
    }
    return this.#balances;
  }
}

/** By epoch, because balances may be wrong after a session's records were rolled back or replaced. */
const BALANCES_BY_EPOCH = new WeakMap<Epoch, RunningBalances>();

/** The balances of a session's accounts by its committed moves. The first call of an epoch reads all entries, later calls only new ones. */
export function balancesOf(reader: BooksReader): Promise<Balances> {
  const balances = BALANCES_BY_EPOCH.get(reader.epoch) ?? new RunningBalances();
  BALANCES_BY_EPOCH.set(reader.epoch, balances);
  return balances.update(reader);
}
