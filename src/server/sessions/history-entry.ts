import type { Instant } from '../../base/time.ts';
import type { SessionSnapshot } from '../store/store.ts';

/** Who calls: the merchant's code, a test or developer, or a payer. */
export type Origin = 'merchant' | 'control' | 'page';

/** A call as it came. */
export interface CallEntry {
  kind: 'call';
  /** request-17, control-2 or page-1. */
  id: string;
  at: Instant;
  /** What the machine's clock said. */
  machineAt: Instant;
  clock: 'real' | 'frozen';
  origin: Origin;
  method: string;
  /** The path with its query, as they came. */
  target: string;
  /** Name, value, name, value, …, as they came. */
  headers: readonly string[];
  /** null where nothing of it was taken. */
  body: Buffer | null;
}

/** A step of a call or of a job had its turn: a transaction, or a look at the records. */
export interface TurnEntry {
  kind: 'turn';
  /** The call's id, or the job's kind and record. */
  of: string;
  at: Instant;
  /** The number of the session's last event after it. */
  lastEvent: number;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

export interface AnswerEntry {
  kind: 'answer';
  of: string;
  at: Instant;
  lastEvent: number;
  /** null where none left. */
  answer: Answer | null;
}

/** A job went out to the network. */
export interface SendingEntry {
  kind: 'sending';
  of: string;
  at: Instant;
}

/** What was sent to a receiver. */
export interface Message {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SentEntry {
  kind: 'sent';
  of: string;
  at: Instant;
  message: Message;
  /** What came back, as the job tells it. */
  outcome: unknown;
}

/** What came from outside, and in which order that had effects: from it everything else follows. */
export type HistoryEntry = CallEntry | TurnEntry | AnswerEntry | SendingEntry | SentEntry;

/** How many calls there were, of each origin. */
export type LastCalls = Readonly<Record<Origin, number>>;

export const NO_CALLS: LastCalls = { merchant: 0, control: 0, page: 0 };

/** What is recorded of a session since its history began. */
export interface RecordedHistory {
  start: SessionSnapshot;
  /** How many calls there were before, of each origin. */
  lastCalls: LastCalls;
  /** Why it does not begin with the session; null where it does. */
  cutBecause: string | null;
  entries: readonly HistoryEntry[];
  /** Secrets that were given out, and what stands for each where the history is played. */
  standIns: ReadonlyMap<string, string>;
}
