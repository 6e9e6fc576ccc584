import type { SessionState } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { AnyRecord, CollectionName, RecordChange, SessionSnapshot } from '../store/store.ts';
import type { HistoryEntry, LastCalls, Origin } from './history-entry.ts';
import { changesOf } from './snapshot.ts';

type Lists = Map<CollectionName, Map<string, AnyRecord>>;

/** State and records of a session after a step of its history. Records never change, so copies share them. */
export class SessionImage {
  #state: SessionState;
  /** What the session's clock showed. */
  at: Instant;
  /** How many calls there were before. */
  readonly calls: Record<Origin, number>;
  readonly #lists: Lists = new Map();

  constructor(snapshot: SessionSnapshot, at: Instant, calls: LastCalls) {
    this.#state = snapshot.state;
    this.at = at;
    this.calls = { ...calls };
    this.#change(changesOf(snapshot));
  }

  get recordCount(): number {
    let count = 0;
    for (const list of this.#lists.values()) {
      count += list.size;
    }
    return count;
  }

  copy(): SessionImage {
    return new SessionImage(this.snapshot(), this.at, this.calls);
  }

  snapshot(): SessionSnapshot {
    const lists = [...this.#lists]
      .filter(([, list]) => list.size > 0)
      .map(([name, list]) => [name, [...list.values()]]);
    return { state: this.#state, ...Object.fromEntries(lists) };
  }

  apply(entry: HistoryEntry): void {
    this.at = entry.at;
    if (entry.kind === 'commit') {
      this.#state = entry.state;
      this.#change(entry.changes);
    } else if (entry.kind === 'call') {
      this.calls[entry.origin] += 1;
    }
  }

  #change(changes: readonly RecordChange[]): void {
    for (const { collection, id, record } of changes) {
      const list = this.#lists.get(collection) ?? new Map<string, AnyRecord>();
      this.#lists.set(collection, list);
      if (record) {
        list.set(id, record);
      } else {
        list.delete(id);
      }
    }
  }
}
