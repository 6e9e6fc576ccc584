import type { Found } from '../findings.ts';
import type { InvariantId } from '../invariants.ts';

/** Something that providers commonly want to see before a shop goes live. */
export interface CheckItem {
  item: string;
  /** What in an examination answers it, in any situation where none is named; undefined where only a person can. */
  judgedBy?: { invariants: readonly InvariantId[]; situations: readonly string[] };
  /** Why only a person can tell. */
  byHand?: string;
}

function judged(item: string, invariants: readonly InvariantId[], ...situations: string[]): CheckItem {
  return { item, judgedBy: { invariants, situations } };
}

function byHand(item: string, why: string): CheckItem {
  return { item, byHand: why };
}

const UNPAID = ['failed', 'cancelled', 'expired'];
const FORGED = ['forged-signature', 'forged-unsigned', 'forged-old', 'forged-reference'];
const BROKEN_ANSWERS = ['answer-empty', 'answer-broken'];
const NO_ANSWERS = ['answer-never', 'answer-lost', 'answers-lost', 'answer-slow'];
const ERRORS = ['answer-is-error', 'answers-are-errors', 'call-refused', 'calls-refused'];
const NO_TOKEN = ['getAccessToken-refused', 'getAccessToken-cut', 'getAccessToken-broken'];
const LATE_PAID = ['paid-after-failure', 'paid-after-expiry'];

/** THE TABLE of common items. Source: what providers' check lists have in common, in our own words. */
export const CHECK_LIST: readonly CheckItem[] = [
  judged('A payment that succeeds leads to an order that is paid and fulfilled.', ['I4'], 'paid'),
  judged("Goods leave on the provider's word alone, never because a call was answered.", ['I1'], 'paid', ...UNPAID),
  judged('A payment that is declined shows on the order.', ['I11'], 'failed'),
  judged('A payment that the payer cancels shows on the order.', ['I11'], 'cancelled'),
  judged('A payment that nobody completes ends, and shows on the order.', ['I11'], 'expired'),
  judged('A request that gets no answer does not lead to a second payment.', ['I3', 'I10'], ...NO_ANSWERS),
  judged('A server error does not lead to a second payment.', ['I3', 'I10'], ...ERRORS),
  judged('An answer that cannot be read does not lead to a second payment.', ['I3', 'I10'], ...BROKEN_ANSWERS),
  judged('A payment whose answer is lost is found again.', ['I4'], ...NO_ANSWERS, ...BROKEN_ANSWERS, 'answer-is-error'),
  judged('Where no notification comes, the shop asks for the status.', ['I4'], 'notified-never'),
  judged(
    'A status query that fails is tried again, and is not taken for an outcome.',
    ['I4', 'I1'],
    'query-refused',
    'query-cut',
    'query-broken',
    'query-lags',
  ),
  judged('An access token that cannot be had is asked for again.', ['I4', 'I3'], ...NO_TOKEN),
  judged('A restart of the shop loses no payment.', ['I4', 'I2'], 'shop-restarted'),
  judged('A notification that is repeated is processed once.', ['I2'], 'notified-twice', 'notified-at-once'),
  judged(
    'A notification that comes late or early is processed.',
    ['I4', 'I2'],
    'notified-late',
    'notified-before-answer',
    'notified-slowly',
  ),
  judged('News that is out of date does not undo what is known.', ['I6', 'I2'], 'older-again', 'first-again'),
  judged('A notification is acknowledged only once it is kept.', ['I9']),
  judged('A notification that is forged or was changed is not believed.', ['I7'], ...FORGED, 'notified-tampered'),
  judged(
    'The amount and the currency that were paid are compared with the order.',
    ['I5', 'I7'],
    'paid',
    'forged-amount',
  ),
  judged(
    'A payment that succeeds after its order was given up is honoured or given back.',
    ['I12'],
    ...LATE_PAID,
    'order-cancelled',
  ),
  judged('Refunds and reversals show on the order.', ['I8'], 'refunded', 'reversed', 'shop-refunded'),
  judged('Chargebacks show on the order.', ['I8'], 'charged-back'),
  byHand('The contract is signed, and the channels are enabled.', 'It is an agreement between people.'),
  byHand('The identity checks of the business and its owners are passed.', 'Only the provider can confirm it.'),
  byHand(
    'Test keys are replaced by production keys, which are kept secret and rotated.',
    'The examination uses keys of its own.',
  ),
  byHand(
    'The certificates and TLS settings of the production addresses are in order, and the provider can reach them.',
    'The examination takes place on one machine.',
  ),
  byHand('A real payment with real money goes through, and is refunded.', 'No money moves in the sandbox.'),
  byHand(
    'The payer is shown the right message for each outcome, also when coming back from a payment page.',
    'The examination looks at the order, not at what is displayed.',
  ),
  byHand('Someone who did not build the integration has tried it.', 'It takes a second pair of eyes.'),
  byHand(
    "The provider's own peculiarities are known: limits, hours, codes, and what its documentation leaves out.",
    'The sandbox is not the provider.',
  ),
];

/** What was found of an item; nothing where it was not part of the examination. */
export function findingsFor({ judgedBy }: CheckItem, verdicts: readonly Found[]): Found[] {
  return verdicts.filter(
    ({ invariant, situation }) =>
      judgedBy?.invariants.includes(invariant) === true &&
      (judgedBy.situations.length === 0 || situation.split('+').some((id) => judgedBy.situations.includes(id))),
  );
}
