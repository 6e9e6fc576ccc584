import type {
  CollectionName,
  CountedRecords,
  DueRecord,
  FindBy,
  ListOptions,
  RecordChange,
  Records,
  ResultPage,
  UndoChange,
} from '../store.ts';
import type { Tables } from './tables.ts';

/** The reads of a store engine. Every engine answers them from memory. */
export class MemoryReads {
  protected readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  hasData(session: string): boolean {
    return this.tables.has(session);
  }

  get<C extends CollectionName>(session: string, collection: C, id: string): Records[C] | undefined {
    return this.tables.table(session, collection)?.get(id);
  }

  find<C extends CollectionName>(session: string, collection: C, ...by: FindBy<C>): Records[C][] {
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

  undoOf(session: string, changes: readonly RecordChange[]): UndoChange[] {
    const undo: UndoChange[] = [];
    for (const { collection, id, record: after } of changes) {
      const table = this.tables.table(session, collection);
      const record = table?.get(id);
      if (table && record) {
        undo.push({ collection, id, record, index: after ? null : table.indexOf(id) });
      }
    }
    // Oldest first, because the index of a record counts the older records, which must be restored before it.
    return undo.some(({ index }) => index !== null)
      ? undo.sort((one, other) => (one.index ?? -1) - (other.index ?? -1))
      : undo;
  }

  async counts(collection: CollectionName, session?: string): Promise<readonly CountedRecords[]> {
    return this.tables.counts(collection, session);
  }
}
