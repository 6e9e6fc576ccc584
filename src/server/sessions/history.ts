import type { Clock } from './clock.ts';
import {
  type CallCounts,
  type CallEntry,
  type CallOrigin,
  type Moment,
  momentAfter,
  NO_CALLS,
  type RecordedCommit,
  type RecordedEntry,
} from './history-entry.ts';
import type { SharedMemory } from './shared-memory.ts';

const CUT_REASON = 'older steps made room for newer ones (--history-size)';
/** Estimated bytes of an entry without its content, and of a record. Records are not measured, because that would slow each payment down. */
const ENTRY_BYTES = 300;
const RECORD_BYTES = 1000;
/** The part of the memory that is freed at once. Freeing single entries would slow each payment down. */
const FREED_SHARE = 0.02;

interface HistoryHost {
  readonly clock: Clock;
  readonly requests: { readonly count: number };
}

/** The records at a step are computed from the session's present records, by undoing the later commits. */
export interface RecordedHistory {
  beginning: Moment;
  /** Why it begins later than the session; null if it begins with the session, or with a reset. */
  cutBecause: string | null;
  entries: readonly RecordedEntry[];
  /** Whether it was read from a file, which anybody may have written. */
  isForeign?: boolean;
}

/** Entries that are dropped together, so that dropping them moves no others. */
interface Block {
  entries: RecordedEntry[];
  bytes: number;
}

/** In memory: the commits of a session, each with its cause and its undo changes, and the session's calls. */
export class SessionHistory {
  readonly #host: HistoryHost;
  readonly #memory: SharedMemory;
  #start: Omit<RecordedHistory, 'entries'> | undefined;
  #blocks: Block[] = [];
  #calls: Record<CallOrigin, number> = { ...NO_CALLS };
  /** Control calls and pages in progress. */
  readonly #activeCalls = new Set<CallEntry>();

  constructor(host: HistoryHost, memory: SharedMemory) {
    this.#host = host;
    this.#memory = memory;
  }

  /** Undefined while nothing is recorded. */
  get contents(): RecordedHistory | undefined {
    return this.#start && { ...this.#start, entries: this.#blocks.flatMap((block) => block.entries) };
  }

  get calls(): CallCounts {
    return { ...this.#calls, merchant: this.#host.requests.count };
  }

  get isBegun(): boolean {
    return this.#start !== undefined;
  }

  /** Begins a history now; `because` is its `cutBecause`. */
  begin(state: Moment['state'], because: string | null = null, calls = this.calls): void {
    this.continue({ beginning: { state, at: this.#host.clock.now(), calls }, cutBecause: because, entries: [] });
  }

  continue({ entries, ...start }: RecordedHistory): void {
    this.forget();
    this.#calls = { ...momentAfter(start.beginning, entries).calls };
    if (this.#memory.limitBytes > 0) {
      this.#start = start;
    }
    for (const entry of entries) {
      this.#add(entry, entry.kind === 'call' ? entry.bytes : 0);
    }
  }

  forget(): void {
    this.#memory.free(this);
    this.#start = undefined;
    this.#activeCalls.clear();
    this.#blocks = [];
  }

  shrink(bytes: number): void {
    let freedBytes = 0;
    while (this.#start && freedBytes < bytes) {
      const oldest = this.#blocks.shift();
      if (!oldest) {
        break;
      }
      this.#start.beginning = momentAfter(this.#start.beginning, oldest.entries);
      this.#start.cutBecause = CUT_REASON;
      freedBytes += oldest.bytes;
    }
    this.#memory.free(this, freedBytes);
  }

  /** The id of the next control call or page. The merchant's calls are numbered by the request log. */
  nextId(origin: Exclude<CallOrigin, 'merchant'>): string {
    this.#calls[origin] += 1;
    return `${origin}-${this.#calls[origin]}`;
  }

  /** Returns the recording to pass to `endCall`. */
  beginCall(call: CallEntry): object | undefined {
    if (this.#start) {
      if (call.origin !== 'merchant') {
        this.#activeCalls.add(call);
      }
      this.#add(call);
    }
    return this.#start;
  }

  /** An answer to a call of an earlier recording is not recorded. */
  endCall(call: CallEntry, recording: object | undefined): void {
    if (this.#start && recording === this.#start) {
      this.#activeCalls.delete(call);
      this.#add({ kind: 'answer', of: call.id, at: this.#host.clock.now() }, call.bytes);
    }
  }

  /** `cause`: the call of the merchant API or the job; undefined if neither made the commit. */
  addCommit(commit: Omit<RecordedCommit, 'kind' | 'cause' | 'at'>, cause: string | undefined): void {
    if (this.#start) {
      const { state, changes, undo, events } = commit;
      const causeId = cause ?? this.#onlyActiveCallId ?? null;
      this.#add({ kind: 'commit', cause: causeId, at: this.#host.clock.now(), state, changes, undo, events });
    }
  }

  /** The control call or page in progress. With several, the cause of a commit is unknown, because transactions do not name it. */
  get #onlyActiveCallId(): string | undefined {
    const [first] = this.#activeCalls;
    return this.#activeCalls.size === 1 ? first?.id : undefined;
  }

  #add(entry: RecordedEntry, callBytes = 0): void {
    if (this.#start) {
      const bytes = ENTRY_BYTES + callBytes + (entry.kind === 'commit' ? bytesOfCommit(entry) : 0);
      const last = this.#blocks.at(-1);
      if (last && last.bytes < this.#memory.limitBytes * FREED_SHARE) {
        last.entries.push(entry);
        last.bytes += bytes;
      } else {
        this.#blocks.push({ entries: [entry], bytes });
      }
      this.#memory.allocate(this, bytes);
    }
  }
}

function bytesOfCommit({ changes, events }: RecordedCommit): number {
  return (1 + changes.length) * RECORD_BYTES + events.length * ENTRY_BYTES;
}
