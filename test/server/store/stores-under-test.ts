import type { Store } from '../../../src/server/store/store.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { DataFolder } from './data-folder.ts';
import { payment, put, state } from './samples.ts';

/** Stores that a test opens, each in a folder of its own, and that are closed behind it. */
export class StoresUnderTest {
  readonly #newFolder = temporaryFolders();
  readonly #open: Store[] = [];

  constructor() {
    afterEach(async () => {
      await Promise.all(this.#open.splice(0).map((store) => store.close()));
    });
  }

  folder(): DataFolder {
    return new DataFolder(this.#newFolder());
  }

  async open(folder: DataFolder, options: Parameters<DataFolder['open']>[0] = {}): Promise<Store> {
    const store = await folder.open(options);
    this.#open.push(store);
    return store;
  }

  /** What a process that is killed at this moment leaves behind. */
  leftOf(folder: DataFolder): DataFolder {
    return folder.leaveTo(this.folder());
  }

  /** What is left of a process that was killed after it had kept the payments, each in a commit of its own. */
  async killedWith(...ids: string[]): Promise<DataFolder> {
    const folder = this.folder();
    const store = await this.open(folder);
    for (const id of ids) {
      await pay(store, id);
    }
    return this.leftOf(folder);
  }
}

/** Keeps one payment, in a commit of its own. */
export function pay(store: Store, id: string): Promise<void> {
  return store.commit({ session: 'shop', state: state(), changes: [put('payments', payment(id))] });
}

/** The ids of all payments kept. */
export async function paid(store: Store): Promise<string[]> {
  return (await store.list('shop', 'payments', { limit: 9_999 })).items.map(({ id }) => id);
}
