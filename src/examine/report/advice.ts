import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import type { ViolationCause } from '../verdicts/causes.ts';
import type { InvariantId } from '../verdicts/invariant.ts';

interface Advice {
  invariants: readonly InvariantId[];
  /** Matches the id of a situation. */
  situation: RegExp;
  mend: string;
}

const UNUSABLE_ANSWER =
  'A payment request without a usable answer may have made a payment: keep the order open, and query the status by your reference until it is final.';
const EARLY =
  'Store the order with its reference before you send the payment request, so that an early notification finds it. Answer a notification for an unknown order with an error, so that it is sent again.';

/** THE TABLE of advice that fits a situation better than the advice for the invariant in general. */
const ADVICE: readonly Advice[] = [
  { invariants: ['I4', 'I9'], situation: /^notified-before-answer$/, mend: EARLY },
  { invariants: ['I4'], situation: /^(?:answers?|calls?)-/, mend: UNUSABLE_ANSWER },
  {
    invariants: ['I1', 'I4'],
    situation: /^query-/,
    mend: 'A status query that fails says nothing about the payment: change nothing, and query again later.',
  },
  {
    invariants: ['I4'],
    situation: /^notified-(?:never|late)$/,
    mend: 'Query the status of open orders regularly until each has a final status.',
  },
  {
    invariants: ['I4'],
    situation: /^(?:getAccessToken|token)-/,
    mend: 'If the request for an access token fails, keep the order open, and try again later.',
  },
  {
    invariants: ['I4'],
    situation: /^shop-restarted$/,
    mend: 'Store open orders in the database, and query the status of each after a start.',
  },
  {
    invariants: ['I2'],
    situation: /^(?:notified-twice|first-again|older-again)$/,
    mend: 'Fulfil only in the step that moves the order from open to paid, so that a repeated notification has nothing left to do.',
  },
  {
    invariants: ['I1', 'I4', 'I11'],
    situation: /^equal-order/,
    mend: 'Find the order of a notification by its reference, never by the amount or the customer.',
  },
  {
    invariants: ['I2', 'I4', 'I6', 'I12'],
    situation: /^race-.*-(?:again|attempts?)$/,
    mend: 'Keep the state of each attempt to pay, and query each, so that the end of one does not undo, hide or repeat the effect of another.',
  },
  {
    invariants: ['I4'],
    situation: /^many-open/,
    mend: 'Make the job query every open order, also beyond the first page, and continue with the next one if a query fails.',
  },
  {
    invariants: ['I4'],
    situation: /^order-backdated$/,
    mend: 'Make the job select orders by state, not by age, until each has a final status.',
  },
  {
    invariants: ['I1', 'I4', 'I5', 'I9', 'I11', 'I15'],
    situation: /^zone-/,
    mend: 'Read times with their offset, such as +02:00 in paymentTokenExpiry, and store and compare them in UTC.',
  },
  {
    invariants: ['I2', 'I4', 'I9'],
    situation: /^race-killed/,
    mend: 'Record a notification as handled in the transaction that handles it, and acknowledge it after that.',
  },
  {
    invariants: ['I7'],
    situation: /^forged-(?:signature|unsigned|refund)$/,
    mend: 'Verify the signature over the raw body, and refuse a notification without one.',
  },
  {
    invariants: ['I7'],
    situation: /^forged-old$/,
    mend: 'Refuse a notification whose timestamp, which is signed, is more than five minutes old.',
  },
  {
    invariants: ['I7'],
    situation: /^(?:forged-(?:amount|currency|reference)|notified-tampered)$/,
    mend: 'Verify the signature, and compare the reference, the amount and the currency with the order; or treat a notification only as a hint, and query the status.',
  },
];

const AFTER_401 = 'A call of the shop was answered 401: the shop must then get a new access token and repeat the call.';

/** How to fix a cause, with advice for the case that is shown. */
export function adviceFor({ invariant: { id, mend }, verdicts: [shown] }: ViolationCause): string[] {
  const fitting = ADVICE.find(
    ({ invariants, situation }) =>
      invariants.includes(id) && shown.situation.split('+').some((each) => situation.test(each)),
  );
  return [fitting?.mend ?? mend, ...(isUnauthorized(shown) ? [AFTER_401] : [])];
}

function isUnauthorized({ history }: CaseVerdict): boolean {
  return history.some(({ side, text }) => side === 'shop' && /answered 401/.test(text));
}
