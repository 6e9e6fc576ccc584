import type { SessionState } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { Change } from '../store/store.ts';
import type { SessionEvent } from './event-log.ts';
import type { LoggedRequest } from './request-log.ts';

/** Who calls: the merchant's code, a test or developer, or a payer. */
export type Origin = 'merchant' | 'control' | 'page';

/** A call with its answer, secrets masked. A call of the merchant API has everything that the request log shows of it. */
export type CallFacts = Pick<LoggedRequest, 'method' | 'path' | 'search' | 'headers' | 'body' | 'answer'> &
  Partial<LoggedRequest>;

/** A call that may still be under way. */
export interface HistoryCall {
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
  /** Called once it is over: of most calls nobody asks, so it is not described before. */
  describe(): CallFacts;
}

/** A change of what the session keeps. */
export interface CommitEntry {
  kind: 'commit';
  /** The id of the call, or the job's kind and record; null where nobody is known to have caused it. */
  cause: string | null;
  at: Instant;
  state: SessionState;
  changes: readonly Change[];
  events: readonly SessionEvent[];
}

/** A call arrived. */
export interface CallEntry {
  kind: 'call';
  /** request-17, control-2 or page-1. */
  id: string;
  origin: Origin;
  at: Instant;
  call: HistoryCall;
}

/** A call is over. */
export interface AnswerEntry {
  kind: 'answer';
  of: string;
  at: Instant;
}

export type HistoryEntry = CommitEntry | CallEntry | AnswerEntry;

/** How many calls there were, of each origin. */
export type LastCalls = Readonly<Record<Origin, number>>;

export const NO_CALLS: LastCalls = { merchant: 0, control: 0, page: 0 };
