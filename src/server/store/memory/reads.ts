import type { CollectionName, CountedRecords, DueRecord, FindBy, ListOptions, Records, ResultPage } from '../store.ts';
import type { Tables } from './tables.ts';

/** How both engines read: from memory. */
export class Reads {
  protected readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  hasKept(session: string): boolean {
    return this.tables.has(session);
  }

  async get<C extends CollectionName>(session: string, collection: C, id: string): Promise<Records[C] | undefined> {
    return this.tables.table(session, collection)?.get(id);
  }

  async find<C extends CollectionName>(session: string, collection: C, ...by: FindBy<C>): Promise<Records[C][]> {
    return this.tables.table(session, collection)?.find(...by) ?? [];
  }

  async list<C extends CollectionName>(
    session: string,
    collection: C,
    options: ListOptions<Records[C]>,
  ): Promise<ResultPage<Records[C]>> {
    return this.tables.table(session, collection)?.list(options) ?? { items: [], nextCursor: null };
  }

  async due(session: string, collection: CollectionName): Promise<DueRecord[]> {
    return this.tables.table(session, collection)?.due() ?? [];
  }

  async counts(collection: CollectionName, session?: string): Promise<readonly CountedRecords[]> {
    return this.tables.counts(collection, session);
  }
}
