import type { Store } from '../../../src/server/store/store.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { DataFolder } from './data-folder.ts';
import { payment, put, state } from './samples.ts';

/** Stores that a test opens. They are closed after it. */
export class StoresUnderTest {
  readonly #createFolder = temporaryFolders();
  readonly #open: Store[] = [];

  constructor() {
    afterEach(async () => {
      await Promise.all(this.#open.splice(0).map((store) => store.close()));
    });
  }

  newFolder(): DataFolder {
    return new DataFolder(this.#createFolder());
  }

  async open(folder: DataFolder, options: Parameters<DataFolder['open']>[0] = {}): Promise<Store> {
    const store = await folder.open(options);
    this.#open.push(store);
    return store;
  }

  /** A copy of the files that a process would leave if it were killed now. */
  copyAsKilled(folder: DataFolder): DataFolder {
    return folder.copyTo(this.newFolder());
  }

  /** The files of a process that was killed after it had stored the payments, each in a separate commit. */
  async killedWith(...ids: string[]): Promise<DataFolder> {
    const folder = this.newFolder();
    const store = await this.open(folder);
    for (const id of ids) {
      await pay(store, id);
    }
    return this.copyAsKilled(folder);
  }
}

/** Stores one payment, in a separate commit. */
export function pay(store: Store, id: string): Promise<void> {
  return store.commit({ session: 'shop', state: state(), changes: [put('payments', payment(id))] });
}

/** The ids of all payments in the store. */
export async function paymentIds(store: Store): Promise<string[]> {
  return (await store.list('shop', 'payments', { limit: 9_999 })).items.map(({ id }) => id);
}
