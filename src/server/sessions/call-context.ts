import type { Instant } from '../../base/time.ts';
import type { Generation } from './generation.ts';
import type { Transaction } from './transaction.ts';

/** A call of the merchant API, as its side effects know it. */
export interface CausingCall {
  readonly id: string;
  /** Called once the changes of one of its transactions are durable, unless its generation has ended by then. */
  committed(transaction: Transaction): void;
}

/** The generation and call that all work of one merchant API call belongs to. */
export interface CallContext {
  generation: Generation;
  cause: CausingCall;
}

/** The generation and call of a transaction. Default: the present generation, and no call. */
export interface TransactOptions extends Partial<CallContext> {
  /** The instant that the work belongs to; default: now. */
  at?: Instant | undefined;
  /** The job that the work belongs to, as nameOf returns it. */
  job?: string;
}
