import type { Generation } from './generation.ts';
import type { Transaction } from './transaction.ts';

/** A call of the merchant API, as what it makes happen knows it. */
export interface Cause {
  readonly id: string;
  /** Called once what a transaction of the call changed is durable, unless its generation has ended by then. */
  committed(transaction: Transaction): void;
}

/** What all work of one call of the merchant API belongs to. */
export interface CallContext {
  generation: Generation;
  cause: Cause;
}
