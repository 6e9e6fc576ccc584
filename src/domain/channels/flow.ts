import type { Instant } from '../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';

/** What a flow may look at when it gives a payment its references. */
export interface FlowOrder {
  merchantId: string;
  payerReference: string;
  expiresAt: Instant;
  /** Appended to card payment ids. */
  nodeSuffix: string;
}

/** How a payer is asked; the channel's words and codes are in fixtures/channels.json. */
export interface Flow {
  /** Whether the payer is prompted on a phone, so that payerMobile is needed. */
  readonly needsMobile: boolean;
  /** The references that a new payment on this flow is known by. */
  references(transaction: Transaction, order: FlowOrder): Promise<FlowReferences>;
}

export interface FlowReferences {
  paymentId: string;
  paymentCode: string | null;
  paymentToken: string | null;
}
