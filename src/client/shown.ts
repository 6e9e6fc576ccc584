// What the control API shows, as its client has it. Times in ISO 8601, money as decimal text.

/** A record. */
export type Shown = Record<string, unknown> & { id: string };

export interface ShownPayment extends Shown {
  /** Paid until nothing of it is left. */
  state: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack';
  /** What notifications and the status query say, such as PartlyRefunded. */
  status: string;
  channel: string;
  merchantId: string;
  payerReference: string;
  paymentId: string | null;
  paymentCode: string | null;
  /** Decimal text, e.g. "10.00". */
  amount: string;
  charges: string;
  currency: string;
  history: ShownStep[];
  /** What of the amount is left, once something happened after it was paid. */
  left?: string;
  afterwards?: ShownAfterward[];
}

/** What happened to a payment after it was paid. */
export interface ShownAfterward {
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed';
  amount: string;
  /** Given back with a reversal, charged with a chargeback. */
  fee: string;
  at: string;
  cause: string;
  code: string | null;
  description: string | null;
}

/** A step in a history. */
export interface ShownStep {
  at: string;
  from: string | null;
  to: string;
  cause: string;
  code: string | null;
  description: string | null;
}

export interface ShownPayout extends Shown {
  /** Follows from the states of its credits. */
  state: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
  merchantId: string;
  payerReference: string;
  /** Decimal text, e.g. "100.50". */
  total: string;
  charges: string;
  currency: string;
  credits: ShownCredit[];
  /** How many credits are in each state, and what they add up to. */
  totals: Record<ShownCredit['state'], { credits: number; amount: string }>;
  history: ShownStep[];
}

export interface ShownCredit {
  state: 'Processing' | 'Paid' | 'Failed' | 'Returned';
  merchantId: string | null;
  bankName: string;
  bankBICCode: string;
  accountNumber: string;
  accountName: string;
  /** Decimal text, e.g. "40.00". */
  amount: string;
  /** What is to come, the next first. */
  plannedOutcomes: { outcome: string; at: string; code: string | null; description: string | null }[];
  history: ShownStep[];
}

export interface ShownEvent {
  id: number;
  at: string;
  type: string;
  collection: string | null;
  subjectId: string | null;
  /** The call of the merchant API that made it happen; null where none did. */
  requestId: string | null;
  data: Record<string, unknown>;
}

export interface ShownClock {
  mode: 'real' | 'frozen';
  now: string;
  /** How far a real clock was moved ahead of the machine's, as an ISO 8601 duration; null for any other. */
  ahead: string | null;
  nextDue: string | null;
  happened?: ShownEvent[];
  /** How many events followed the last one that is shown. */
  more?: number;
}

export interface ShownList<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** One notification on its way to one endpoint. */
export interface ShownDelivery extends Shown {
  state: 'pending' | 'delivered' | 'failed' | 'dropped';
  url: string;
  type: string;
  /** The payment or payout that it is about. */
  subjectId: string;
  webhookId: string;
  /** The exact text that is signed and sent. */
  body: string;
  attempts: {
    at: string;
    headers: Record<string, string>;
    status: number | null;
    ms: number;
    error: string | null;
    response: string | null;
  }[];
  nextAttemptAt: string | null;
}

export interface ShownEndpoint extends Shown {
  url: string;
  /** whsec_…, signs by Standard Webhooks. */
  secret: string;
  /** The only merchant whose notifications it gets; null for all. */
  merchantId: string | null;
  /** The only types that it gets, such as payment.paid; null for all. */
  types: string[] | null;
}
