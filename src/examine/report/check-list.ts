import { RACES } from '../race/races.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import type { InvariantId } from '../verdicts/invariant.ts';

/** A requirement that providers commonly have before a shop goes live. */
export interface CheckItem {
  item: string;
  /** The part of an examination that answers it; undefined if only a person can. */
  judgedBy?: { invariants: readonly InvariantId[]; situations: readonly string[] };
  /** Why only a person can answer it. */
  byHand?: string;
}

function judged(item: string, invariants: readonly InvariantId[], ...situations: string[]): CheckItem {
  return { item, judgedBy: { invariants, situations } };
}

function manual(item: string, why: string): CheckItem {
  return { item, byHand: why };
}

const NOT_TRIED = 'The examination does not try it.';

const UNPAID = ['failed', 'cancelled', 'expired'];
const FORGED = ['forged-signature', 'forged-unsigned', 'forged-old', 'forged-reference'];
const BROKEN_ANSWERS = ['answer-empty', 'answer-broken'];
const NO_ANSWERS = ['answer-never', 'answer-lost', 'answers-lost', 'answer-slow'];
const ERRORS = ['answer-is-error', 'answers-are-errors', 'call-refused', 'calls-refused'];
const UNMADE = ['call-refused', 'call-cut-before', 'calls-refused'];
const NO_TOKEN = [
  'getAccessToken-refused',
  'getAccessToken-cut',
  'getAccessToken-broken',
  'token-refused-after-restart',
];
const PARTLY_REFUNDED = ['partly-refunded', 'partly-refunded-again', 'partly-refunded-twice'];
const EQUAL = ['equal-orders-at-once', 'equal-order-first-paid', 'equal-order-last-paid', 'equal-order-after-restart'];
const INSTRUCTION_FAULTS = ['', '-refused', '-is-error', '-lost', '-broken', '-never'];
const PAYOUTS = INSTRUCTION_FAULTS.map((fault) => `payout${fault}`);
const RECURRING = INSTRUCTION_FAULTS.map((fault) => `recurring${fault}`);
const ZONES = ['zone-ahead', 'zone-behind'].flatMap((id) => [id, `${id}-expired`, `${id}-unnotified`]);
const AMOUNTS = ['amount-inexact', 'amount-whole', 'amount-padded'];
const LATE_PAID = ['paid-after-failure', 'paid-after-expiry', 'order-cancelled'];
const UNUSABLE = [...NO_ANSWERS, ...BROKEN_ANSWERS, 'answer-is-error'];
const QUERIES = ['query-refused', 'query-cut', 'query-broken', 'query-lags', 'query-refused-notified'];
const AT_ODD_TIMES = ['notified-late', 'notified-before-answer', 'notified-slowly'];
const OUTDATED = ['older-again', 'first-again', 'older-first-time', 'paid-after-refund', 'refunded-first-again'];
const CHARGEBACKS = ['partly-charged-back', 'chargeback-won', 'chargeback-won-again'];

/** THE TABLE of common items of providers' checklists, in our words. */
export const CHECK_LIST: readonly CheckItem[] = [
  judged('A successful payment leads to a paid and fulfilled order.', ['I4'], 'paid'),
  judged(
    "An order is fulfilled only on the provider's word, never because a request was answered.",
    ['I1'],
    'paid',
    ...UNPAID,
  ),
  judged('A declined payment is reflected in the order.', ['I11'], 'failed'),
  judged('A payment that the payer cancels is reflected in the order.', ['I11'], 'cancelled'),
  judged('A payment that nobody completes expires, and this is reflected in the order.', ['I11'], 'expired'),
  judged('A request that gets no answer does not lead to a second payment.', ['I3', 'I10'], ...NO_ANSWERS),
  judged('A server error does not lead to a second payment.', ['I3', 'I10'], ...ERRORS),
  judged('A malformed answer does not lead to a second payment.', ['I3', 'I10'], ...BROKEN_ANSWERS),
  judged('A payment is found even if its answer was lost.', ['I4'], ...UNUSABLE),
  judged('No order is refused while its money is taken.', ['I14'], ...UNUSABLE),
  judged(
    'Genuine notifications are accepted, however their JSON is written.',
    ['I15'],
    'notified-late',
    'notified-in-other-json',
  ),
  judged('If no notification arrives, the shop queries the status.', ['I4'], 'notified-never'),
  judged('A failed status query is retried, and is not treated as an outcome.', ['I4', 'I1'], ...QUERIES),
  judged('A failed request for an access token is retried.', ['I4', 'I3'], ...NO_TOKEN),
  judged('No payment is lost when the shop restarts.', ['I4', 'I2'], 'shop-restarted'),
  judged(
    'No payment is lost, and nothing is done twice, when the shop is killed while it handles a notification.',
    ['I4', 'I2', 'I9'],
    'race-killed-while-notified-paid',
  ),
  judged('Times and expiries are right, whatever the time zone of the shop.', ['I4', 'I15', 'I11'], ...ZONES),
  judged('A repeated notification is processed once.', ['I2'], 'notified-twice', 'notified-at-once'),
  judged('A late or early notification is processed.', ['I4', 'I2'], ...AT_ODD_TIMES),
  judged(
    'The order is right if the notification, the returning browser and the answer to a request overtake each other.',
    ['I4', 'I2', 'I6', 'I11', 'I12'],
    ...RACES.flatMap(({ id, race }) => (race ? [id] : [])),
  ),
  judged('An outdated notification does not undo a later one.', ['I6', 'I2', 'I8'], ...OUTDATED),
  judged('A notification is acknowledged only once it is stored.', ['I9'], ...AT_ODD_TIMES),
  judged('A forged or altered notification has no effect.', ['I7'], ...FORGED, 'notified-tampered', 'forged-refund'),
  judged('Each order has its own reference, even if two are placed at once.', ['I16'], ...EQUAL),
  judged('A payment counts only for its own order, even if another order is equal.', ['I1', 'I4', 'I11'], ...EQUAL),
  judged('The job that queries payments reaches all open orders.', ['I4'], 'many-open', 'many-open-one-unknown'),
  judged(
    'The job that queries payments also reaches orders that are more than an hour old.',
    ['I4'],
    'order-backdated',
  ),
  judged('The amount and the currency of the order are requested.', ['I5'], 'paid', ...AMOUNTS),
  judged('The amount that was paid is compared with the order.', ['I7'], 'forged-amount'),
  judged('The currency that was paid is compared with the order.', ['I7'], 'forged-currency'),
  judged('A payment that succeeds after its order was given up is honoured or refunded.', ['I12'], ...LATE_PAID),
  judged('Refunds and reversals are reflected in the order.', ['I8'], 'refunded', 'reversed', 'shop-refunded'),
  judged('Chargebacks are reflected in the order.', ['I8'], 'charged-back'),
  judged('A payment that fails after it succeeded is reflected in the order.', ['I8'], 'late-failure'),
  judged('The amounts add up after partial refunds.', ['I13'], ...PARTLY_REFUNDED),
  judged('The amounts add up after partial and reversed chargebacks.', ['I13'], ...CHARGEBACKS),
  manual(
    'Timeouts of hours and days, such as that of an access token, are right by the clock of the shop in any time zone.',
    "Only the sandbox's clock moves; access tokens stay valid, so that a shop with the real time is not misled.",
  ),
  manual('The contract is signed, and the channels are enabled.', 'It is an agreement between people.'),
  manual('The identity checks of the business and its owners are passed.', 'Only the provider can confirm it.'),
  manual(
    'Test keys are replaced by production keys, which are kept secret and rotated.',
    'The examination uses its own keys.',
  ),
  manual(
    'The certificates and TLS settings of the production URLs are valid, and the provider can reach them.',
    'The examination runs on one machine.',
  ),
  manual('A payment with real money succeeds and is refunded.', 'No money moves in the sandbox.'),
  manual(
    'The payer sees the right message for each outcome, even after returning from a payment page.',
    'The examination checks the order, not what is displayed.',
  ),
  manual('The payer returns to a page of the shop, also after a failure.', 'The examination reads no pages.'),
  judged('A payout is made once, even if its answer is lost.', ['I17'], ...PAYOUTS),
  manual('The receivers of a payout are as agreed, and only failed credits are repeated.', NOT_TRIED),
  judged('The shares of a split payment are the same if its request is sent again.', ['I19'], ...UNMADE),
  manual('The shares of a split payment are as agreed.', NOT_TRIED),
  judged('A recurring payment is set up once, even if its answer is lost.', ['I18'], ...RECURRING),
  manual(
    'Recurring payments have the right amount and interval, each charge counts once, and they end when they are cancelled.',
    'The examination only sets them up.',
  ),
  manual('Payment links lead to one paid order each, and expire.', NOT_TRIED),
  manual('Payment tokens are kept secret, and charged only with consent.', NOT_TRIED),
  manual('Settlements and their fees agree with the books.', NOT_TRIED),
  manual('Someone who did not build the integration has tested it.', 'It takes a second pair of eyes.'),
  manual(
    "The provider's peculiarities are known: limits, hours, codes, and what its documentation leaves out.",
    'The sandbox is not the provider.',
  ),
];

/** Empty if the item was not part of the examination. */
export function findingsFor({ judgedBy }: CheckItem, verdicts: readonly CaseVerdict[]): CaseVerdict[] {
  return verdicts.filter(
    ({ invariant, situation }) =>
      judgedBy?.invariants.includes(invariant) === true &&
      situation.split('+').some((id) => judgedBy.situations.includes(id)),
  );
}
