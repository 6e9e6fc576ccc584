import type { SessionState } from '../../base/schema/records.ts';
import type { SessionSnapshot } from '../store/store.ts';
import type { Clock } from './clock.ts';
import {
  type CallEntry,
  type CommitEntry,
  type HistoryCall,
  type HistoryEntry,
  type LastCalls,
  NO_CALLS,
  type Origin,
} from './history-entry.ts';
import { SessionImage } from './session-image.ts';
import type { SharedMemory } from './shared-memory.ts';

const MADE_ROOM = 'older steps made room for newer ones (--history-size)';
/** Estimated bytes of an entry beside its content, and of a record: weighing records would cost each payment time. */
const ENTRY_BYTES = 300;
const RECORD_BYTES = 1000;
/** Less for a record of the base, because the store mostly has the same one. */
const BASE_RECORD_BYTES = 150;
/** The part of the memory that is freed at once, because freeing costs each payment time. */
const FREED_SHARE = 0.02;

interface HistoryHost {
  readonly clock: Clock;
  readonly state: SessionState;
  readonly requests: { readonly count: number };
}

/** The records of a session's history since it began. */
export interface RecordedHistory {
  base: SessionImage;
  /** Why it begins later than the session; null if it does not. */
  cutBecause: string | null;
  entries: readonly HistoryEntry[];
  /** Whether it was read from a file, which anybody may have written. */
  isForeign?: boolean;
}

/** Entries that are dropped together, so that neither adding nor dropping one moves the others. */
interface Block {
  entries: HistoryEntry[];
  bytes: number;
}

/**
 * The commits of a session, each with what caused it, and the calls around them, in memory. The state after any step is the base with the
 * commits up to there. Source: ours.
 */
export class SessionHistory {
  readonly #host: HistoryHost;
  readonly #memory: SharedMemory;
  /** Undefined while nothing is recorded. */
  #begun: Omit<RecordedHistory, 'entries'> | undefined;
  #blocks: Block[] = [];
  #calls: Record<Origin, number> = { ...NO_CALLS };
  /** Calls that have begun and not ended. */
  readonly #underWay = new Map<HistoryCall, CallEntry>();

  constructor(host: HistoryHost, memory: SharedMemory) {
    this.#host = host;
    this.#memory = memory;
  }

  /** Undefined while nothing is recorded. */
  get recorded(): RecordedHistory | undefined {
    const entries = this.#blocks.flatMap((block) => block.entries);
    return this.#begun && { ...this.#begun, base: this.#begun.base.copy(), entries };
  }

  get calls(): LastCalls {
    return { ...this.#calls, merchant: this.#host.requests.count };
  }

  get canBegin(): boolean {
    return !this.#begun && this.#memory.limit > 0 && this.#fits;
  }

  get whyNot(): string {
    if (this.#memory.limit === 0) {
      return 'no histories are kept (--history-size 0)';
    }
    return this.#fits
      ? 'the histories of other sessions took all the memory for histories (--history-size)'
      : 'it has more records than fit into the memory for histories (--history-size)';
  }

  /** Begins with a state; `because` says why later than the session. Answers to earlier calls are not recorded. */
  begin(snapshot: SessionSnapshot, because: string | null = null, calls = this.calls): void {
    this.forget();
    this.#calls = { ...calls };
    if (this.#memory.limit > 0) {
      const base = new SessionImage(snapshot, this.#host.clock.now(), calls);
      this.adopt({ base, cutBecause: because, entries: [] });
    }
  }

  /** Continues a history that was recorded elsewhere. */
  adopt({ entries, ...begun }: RecordedHistory): void {
    this.forget();
    if (this.#memory.limit > 0) {
      this.#begun = begun;
      this.#memory.take(this, ENTRY_BYTES + begun.base.recordCount * BASE_RECORD_BYTES);
    }
    for (const entry of entries) {
      this.#add(entry, entry.kind === 'call' ? entry.call.bytes : 0);
    }
  }

  forget(): void {
    this.#memory.free(this);
    this.#begun = undefined;
    this.#underWay.clear();
    this.#blocks = [];
  }

  /** Drops the oldest steps: their changes become part of the base. */
  shrink(bytes: number): void {
    let freed = 0;
    while (this.#begun && freed < bytes) {
      const { base } = this.#begun;
      const oldest = this.#blocks.shift();
      if (!oldest || !this.#fits) {
        this.forget();
        return;
      }
      const records = base.recordCount;
      for (const entry of oldest.entries) {
        base.apply(entry);
      }
      freed += oldest.bytes - Math.max(0, base.recordCount - records) * BASE_RECORD_BYTES;
      this.#begun.cutBecause = MADE_ROOM;
    }
    this.#memory.free(this, freed);
  }

  /** Ids of calls that are not the merchant's, which the request log numbers. */
  nextId(origin: Exclude<Origin, 'merchant'>): string {
    this.#calls[origin] += 1;
    return `${origin}-${this.#calls[origin]}`;
  }

  callBegan(id: string, origin: Origin, call: HistoryCall, at = this.#host.clock.now()): void {
    if (this.#begun) {
      const entry: CallEntry = { kind: 'call', id, origin, at, call };
      this.#underWay.set(call, entry);
      this.#add(entry);
    }
  }

  callEnded(call: HistoryCall): void {
    const begun = this.#underWay.get(call);
    if (begun) {
      this.#underWay.delete(call);
      this.#add({ kind: 'answer', of: begun.id, at: this.#host.clock.now() }, call.bytes);
    }
  }

  /** `cause`: the call of the merchant API or the job; undefined if neither made the commit. */
  committed(commit: Omit<CommitEntry, 'kind' | 'cause' | 'at'>, cause: string | undefined): void {
    if (this.#begun) {
      const { state, changes, events } = commit;
      const known = cause ?? this.#onlyOther ?? null;
      this.#add({ kind: 'commit', cause: known, at: this.#host.clock.now(), state, changes, events });
    }
  }

  /** The control call or page in progress. Transactions do not name theirs, so with several of them it is unknown. */
  get #onlyOther(): string | undefined {
    const others = [...this.#underWay.values()].filter(({ origin }) => origin !== 'merchant');
    return others.length === 1 ? others[0]?.id : undefined;
  }

  /** Whether the memory has room for entries beside the records of the session. */
  get #fits(): boolean {
    const { event: _, ...counters } = this.#host.state.counters;
    const records = Object.values(counters).reduce((sum, count) => sum + count, 0);
    return records * BASE_RECORD_BYTES * 2 <= this.#memory.limit;
  }

  #add(entry: HistoryEntry, callBytes = 0): void {
    if (this.#begun) {
      const bytes = ENTRY_BYTES + callBytes + (entry.kind === 'commit' ? bytesOf(entry) : 0);
      const last = this.#blocks.at(-1);
      if (last && last.bytes < this.#memory.limit * FREED_SHARE) {
        last.entries.push(entry);
        last.bytes += bytes;
      } else {
        this.#blocks.push({ entries: [entry], bytes });
      }
      this.#memory.take(this, bytes);
    }
  }
}

function bytesOf({ changes, events }: CommitEntry): number {
  return (1 + changes.length) * RECORD_BYTES + events.length * ENTRY_BYTES;
}
