import type { IntegrationKind } from '../../../base/finding-kinds.ts';
import type { Members } from '../../../base/members.ts';
import type { Instant } from '../../../base/time.ts';

/** What a call of the merchant API shows of the code that made it. */
export interface ObservedCall {
  /** request-17 */
  id: string;
  /** How many calls the session had when this one was over: who makes one of these does not know yet what became of this. */
  callsBegunAtEnd: number;
  /** By the session's clock. */
  at: Instant;
  /** Whether that clock stands still, so that it says nothing of how fast calls follow each other. */
  isFrozen: boolean;
  /** null where no operation is served there. */
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  merchantId: string | null;
  /** What the call names a payment by. */
  reference: string | null;
  query: Readonly<Record<string, string>>;
  body: Members;
  /** Its Authorization header. */
  bearer: string | undefined;
  /** Its Accept header, where that takes JSON and not text/plain. */
  jsonOnlyAccept: string | undefined;
  /** The payment or payout that it initiated. */
  initiated: { collection: 'payments' | 'payouts'; recordId: string } | undefined;
  /** Whether it gets an answer of the operation, be it a refusal, and not a fault in its place. */
  isAnswered: boolean;
  /** Whether its answer, or none, leaves open what it did. A status of the provider's in place of any work does not. */
  isUncertain: boolean;
  /** Why it is refused, in words; null where it is not. */
  refusal: string | null;
}

/** What a rule found in calls. */
export interface CallObservation {
  kind: IntegrationKind;
  /** Where in the last of the calls. */
  path: string;
  expected: string;
  received: string;
  /** The calls that show it. */
  calls: readonly string[];
  /** Records that show it, where calls do not. */
  records?: readonly string[];
  /** What is found no more once the status is asked for by this reference. */
  clearedByStatusQuery?: string | null;
}

/** What is noticed of calls that follow each other, or of one. It keeps what it must know of those before. */
export type CallRule = (call: ObservedCall) => CallObservation | undefined;
