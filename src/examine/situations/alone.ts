import type { Observation } from '../observation/observation.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { FAULTS } from './calls.ts';
import { hasFaultOn, hasReached, hasSentRequest, withoutFault } from './occurrence.ts';
import { inNextRequirements, type RuleMembers, type SeveralOrders, type Situation } from './situation.ts';

/** `made` is the participle in titles; `plainTitle` is the title of the situation without a fault. */
const PAYOUT = {
  id: 'payout',
  needs: 'payOut',
  operation: 'initiateBulkPayout',
  invariant: 'I17',
  name: 'payout',
  made: 'made',
  plainTitle: 'the shop pays out, and the request is answered',
} as const;
const RECURRING = {
  id: 'recurring',
  needs: 'subscribe',
  operation: 'addRecurringPayment',
  invariant: 'I18',
  name: 'recurring payment',
  made: 'set up',
  plainTitle: 'the shop sets up a recurring payment, and the request is answered',
} as const;

/** More than the usual page of a list. */
const MANY = 25;
const ALL_PAID: Pick<SeveralOrders, 'outcomes' | 'haveOwnPayers'> = {
  outcomes: Array.from({ length: MANY }, () => 'Paid'),
  haveOwnPayers: true,
};
const UNNOTIFIED = { payment: { webhook: { mode: 'dropped' } }, needs: 'reconcile' } as const;

function several(
  id: string,
  title: string,
  orders: SeveralOrders,
  invariants: readonly InvariantId[],
  members: Pick<Situation, 'payment' | 'needs' | 'isRestarted'> = {},
): Situation {
  return { id, kind: 'alone', title, orders, invariants, hasOccurred: hasSentRequest, ...members };
}

const ZONES = [
  { id: 'zone-ahead', zone: 'Pacific/Kiritimati', where: '14 hours ahead of' },
  { id: 'zone-behind', zone: 'Pacific/Pago_Pago', where: '11 hours behind' },
];

/** A shop that ignores the offset of times is right in one zone and wrong in others; its job may then miss orders of another date. */
function inZone({ id, zone, where }: (typeof ZONES)[number]): Situation[] {
  const title = `the shop runs in a time zone ${where} UTC`;
  const common = { kind: 'alone', zone } as const;
  const payment = { settle: { outcome: 'Expired', after: 'PT15M' } };
  const expires = { title: `${title}, and the payment expires`, payment, hasOccurred: hasReached('Expired') };
  const unnotified = { title: `${title}, and no notification arrives`, ...UNNOTIFIED, hasOccurred: hasReached('Paid') };
  return [
    { ...common, id, title, invariants: ['I4', 'I15', 'I5'], hasOccurred: hasReached('Paid') },
    { ...common, id: `${id}-expired`, ...expires, invariants: ['I11', 'I1'] },
    { ...common, id: `${id}-unnotified`, ...unnotified, invariants: ['I4', 'I2'] },
  ];
}

/** Amounts that are often formatted or converted wrongly. */
const AMOUNTS = [
  { id: 'amount-inexact', amount: '19.99', why: 'which is less than 1999 cents as a floating-point number' },
  { id: 'amount-whole', amount: '20.00', why: 'which has no cents' },
  { id: 'amount-padded', amount: '12.05', why: 'which has one digit of cents after a zero' },
];

function withAmount({ id, amount, why }: (typeof AMOUNTS)[number]): Situation {
  return {
    id,
    kind: 'alone',
    title: `the order costs ${amount}, ${why}`,
    amount,
    invariants: ['I5', 'I4'],
    hasOccurred: ({ order, requests }) => order.amount === amount && requests.length > 0,
  };
}

/** A fault affects only the first request: a shop that repeats it must not create a second payout or recurring payment. */
function instructions({ id, needs, operation, invariant, name, made, plainTitle }: typeof PAYOUT | typeof RECURRING) {
  const common = { kind: 'alone', needs, invariants: [invariant] } as const;
  const disturbed = (fault: string, title: string, members: RuleMembers): Situation => ({
    ...common,
    id: `${id}-${fault}`,
    title,
    other: { operation, rule: { fault: { times: 1, ...members } } },
    hasOccurred: hasFaultOn(operation),
  });
  const madeText = `the ${name} is ${made}, but`;
  const hasOccurred = ({ instruction }: Observation) => (instruction?.records.length ?? 0) > 0;
  return [
    { ...common, id, title: plainTitle, hasOccurred },
    disturbed('refused', `the ${name} request is answered with 503, and nothing is ${made}`, FAULTS.refused),
    disturbed('is-error', `${madeText} the request is answered with 500`, FAULTS.error),
    disturbed('lost', `${madeText} the connection is reset`, FAULTS.lost),
    disturbed('broken', `${madeText} the answer is malformed`, FAULTS.malformed),
    disturbed('never', `${madeText} no answer arrives`, FAULTS.unanswered),
  ];
}

/** Situations that are tried only by themselves, because they change the order or the shop, or need more than one order or none. */
const ALL: readonly Situation[] = [
  withoutFault('alone', 'nothing-else', 'the shop has only this order'),
  several(
    'equal-orders-at-once',
    'two equal orders of one customer are placed at the same moment, and both are paid',
    { outcomes: ['Paid', 'Paid'], areAtOnce: true },
    ['I16', 'I4', 'I2'],
  ),
  several(
    'equal-order-first-paid',
    'of two equal orders of one customer, the first is paid, and then the second one fails',
    { outcomes: ['Paid', 'Failed'] },
    ['I1', 'I4', 'I11', 'I16'],
  ),
  several(
    'equal-order-last-paid',
    'of two equal orders of one customer, the second is paid, and then the first one fails',
    { outcomes: ['Failed', 'Paid'] },
    ['I1', 'I4', 'I11', 'I16'],
  ),
  several(
    'equal-order-after-restart',
    'two equal orders of one customer are each placed after a restart of the shop, and both are paid',
    { outcomes: ['Paid', 'Paid'] },
    ['I16', 'I4', 'I2'],
    { needs: 'restart', isRestarted: true },
  ),
  several('many-open', `${MANY} orders are paid, and no notification arrives`, ALL_PAID, ['I4', 'I2'], UNNOTIFIED),
  several(
    'many-open-one-unknown',
    `${MANY} orders are paid, no notification arrives, and each status query of one of them fails`,
    { ...ALL_PAID, failingIndex: Math.floor(MANY / 2) },
    ['I4', 'I2'],
    UNNOTIFIED,
  ),
  {
    id: 'token-refused-after-restart',
    kind: 'alone',
    title: 'the shop restarts, its first request for an access token is answered with 503, and no notification arrives',
    isRestarted: true,
    needs: 'restart',
    payment: UNNOTIFIED.payment,
    other: { operation: 'getAccessToken', rule: { fault: { times: 1, ...FAULTS.refused } } },
    invariants: ['I4', 'I2'],
    hasOccurred: hasFaultOn('getAccessToken'),
  },
  ...AMOUNTS.map(withAmount),
  ...ZONES.flatMap(inZone),
  ...instructions(PAYOUT),
  ...instructions(RECURRING),
];

export const ALONE = ALL.map(inNextRequirements);
