import type { IntegrationKind } from '../../../base/finding-kinds.ts';
import type { Members } from '../../../base/members.ts';
import type { Instant } from '../../../base/time.ts';

/** A call of the merchant API, with the facts that rules about the calling code need. */
export interface ObservedCall {
  /** request-17 */
  id: string;
  /** The number of the session's calls when this one ended. Calls up to this number could not know the outcome of this one. */
  callsBegunSoFar: number;
  /** By the session's clock. */
  at: Instant;
  /** Whether that clock is frozen, so that the times of calls do not show their rate. */
  isFrozen: boolean;
  /** Null if the path belongs to no operation. */
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  merchantId: string | null;
  /** The payment reference in the call. */
  reference: string | null;
  query: Readonly<Record<string, string>>;
  body: Members;
  authorization: string | undefined;
  /** Its Accept header, if that accepts JSON but not text/plain. */
  jsonOnlyAccept: string | undefined;
  /** The payment or payout that it initiated. */
  initiated: { collection: 'payments' | 'payouts'; recordId: string } | undefined;
  /** Whether the caller gets the operation's own answer, which may be a refusal. */
  isAnswered: boolean;
  /** Whether the caller cannot know if the call had an effect. False if a fault answered with a status before the operation. */
  isUncertain: boolean;
  /** The message of its refusal; null without one. */
  refusal: string | null;
}

export interface CallObservation {
  kind: IntegrationKind;
  /** The path in the last call. */
  path: string;
  expected: string;
  received: string;
  /** The ids of the calls that prove it. */
  calls: readonly string[];
  /** The ids of the records that prove it, if no calls do. */
  records?: readonly string[];
  /** A later status query for this reference removes the finding. */
  clearedByStatusQuery?: string | null;
}

/** Checks each call of a session in order. A rule about several calls stores facts of earlier ones. */
export type CallRule = (call: ObservedCall) => CallObservation | undefined;
