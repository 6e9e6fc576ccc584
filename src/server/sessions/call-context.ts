import type { Instant } from '../../base/time.ts';
import type { Generation } from './generation.ts';
import type { Transaction } from './transaction.ts';

/** A call of the merchant API that causes transactions. */
export interface CausingCall {
  readonly id: string;
  /** Called once the changes of one of its transactions are durable, unless its generation has ended by then. */
  addCommit(transaction: Transaction): void;
}

export interface CallContext {
  generation: Generation;
  cause: CausingCall;
}

/** Default: the current generation, and no call. */
export interface TransactOptions extends Partial<CallContext> {
  /** The instant that the work belongs to; default: now. */
  at?: Instant | undefined;
  /** See jobNameOf in job.ts. */
  job?: string;
}
