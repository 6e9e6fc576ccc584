import type { Situation } from '../situations/situation.ts';
import type { InvariantId } from './invariant.ts';

// A set of requirements never changes once it has its date, so that a shop which met it continues to meet it. Newer situations and
// invariants are examined and reported, but count only from the next set on.

/** The current set of requirements. */
export const REQUIREMENTS = '2026-12';

const REQUIRED: ReadonlySet<string> = new Set([
  'call-answered',
  'call-refused',
  'call-cut-before',
  'answer-is-error',
  'answer-lost',
  'answer-empty',
  'answer-broken',
  'answer-never',
  'answer-slow',
  'calls-refused',
  'answers-lost',
  'answers-are-errors',
  'others-answered',
  'getAccessToken-refused',
  'getAccessToken-cut',
  'getAccessToken-broken',
  'calculateFees-refused',
  'calculateFees-cut',
  'calculateFees-broken',
  'listCurrencies-refused',
  'listCurrencies-cut',
  'listCurrencies-broken',
  'listBanks-refused',
  'listBanks-cut',
  'listBanks-broken',
  'listPaymentIntervals-refused',
  'listPaymentIntervals-cut',
  'listPaymentIntervals-broken',
  'saveFastCheckout-refused',
  'saveFastCheckout-cut',
  'saveFastCheckout-broken',
  'requestPaymentToken-refused',
  'requestPaymentToken-cut',
  'requestPaymentToken-broken',
  'query-answered',
  'query-refused',
  'query-cut',
  'query-broken',
  'query-lags',
  'notified',
  'notified-twice',
  'notified-at-once',
  'notified-late',
  'notified-never',
  'notified-tampered',
  'notified-before-answer',
  'notified-slowly',
  'forged-signature',
  'forged-unsigned',
  'forged-old',
  'forged-amount',
  'forged-reference',
  'shop-does-nothing',
  'shop-restarted',
  'order-cancelled',
  'paid',
  'failed',
  'cancelled',
  'expired',
  'paid-after-failure',
  'paid-after-expiry',
  'nothing-more',
  'first-again',
  'older-again',
  'refunded',
  'reversed',
  'charged-back',
  'shop-refunded',
]);

const REQUIRED_INVARIANTS: ReadonlySet<InvariantId> = new Set([
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I8',
  'I9',
  'I10',
  'I11',
  'I12',
]);

/** Providers do cause two situations at once; three at once are too rare to be required. */
const MOST_AT_ONCE = 2;

/** Whether a violation of the invariant in these situations counts. */
export function isRequired(situations: readonly Situation[], invariant: InvariantId): boolean {
  return (
    REQUIRED_INVARIANTS.has(invariant) &&
    situations.length <= MOST_AT_ONCE &&
    situations.every(({ id }) => REQUIRED.has(id))
  );
}
