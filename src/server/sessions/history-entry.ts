import type { SessionState } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { RecordChange, UndoChange } from '../store/store.ts';
import type { SessionEvent } from './event-log.ts';
import type { LoggedRequest } from './request-log.ts';

/** Who made a call: the merchant's code, a test or developer, or a payer. */
export type CallOrigin = 'merchant' | 'control' | 'page';

/** A call with its answer, secrets masked. For a call of the merchant API with all fields of the request log. */
export type CallFacts = Pick<LoggedRequest, 'method' | 'path' | 'search' | 'headers' | 'body' | 'answer'> &
  Partial<LoggedRequest>;

export interface CommitEntry {
  kind: 'commit';
  /** The id of the call, or the name of the job; null if unknown. */
  cause: string | null;
  at: Instant;
  state: SessionState;
  changes: readonly RecordChange[];
  events: readonly SessionEvent[];
}

/** A call that may not have ended. */
export interface CallEntry {
  readonly kind: 'call';
  /** request-17, control-2 or page-1. */
  readonly id: string;
  readonly origin: CallOrigin;
  readonly at: Instant;
  /** Bytes of memory, estimated. */
  readonly bytes: number;
  /** May only be called once the call has ended. A function, because most calls are never shown. */
  describe(): CallFacts;
}

export interface AnswerEntry {
  kind: 'answer';
  /** The id of the call. */
  of: string;
  at: Instant;
}

export type HistoryEntry = CommitEntry | CallEntry | AnswerEntry;

export interface RecordedCommit extends CommitEntry {
  /** Records that it replaced or removed. Records that it added need no entry, because undoing removes them. */
  undo: readonly UndoChange[];
}

export type RecordedEntry = RecordedCommit | CallEntry | AnswerEntry;

export type CallCounts = Readonly<Record<CallOrigin, number>>;

export const NO_CALLS: CallCounts = { merchant: 0, control: 0, page: 0 };

/** A session at one moment of its history, without its records. */
export interface Moment {
  state: SessionState;
  /** The time of the session's clock. */
  at: Instant;
  /** The number of calls until then. */
  calls: CallCounts;
}

export function momentAfter(moment: Moment, entries: readonly HistoryEntry[]): Moment {
  let { state, at } = moment;
  const calls = { ...moment.calls };
  for (const entry of entries) {
    at = entry.at;
    if (entry.kind === 'commit') {
      state = entry.state;
    } else if (entry.kind === 'call') {
      calls[entry.origin] += 1;
    }
  }
  return { state, at, calls };
}
