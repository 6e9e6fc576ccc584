import { caseOf, scenarioOf } from '../cases/case.ts';
import type { Situation } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';

/** The situations of successive orders: one without faults, then those whose effect the traffic shows best. */
const ORDERED_IDS = [
  'paid',
  'answer-lost',
  'notified-never',
  'forged-signature',
  'notified-twice',
  'answer-is-error',
  'forged-unsigned',
  'notified-slowly',
  'answer-never',
  'forged-amount',
  'forged-currency',
  'notified-at-once',
  'answer-broken',
  'forged-old',
  'notified-tampered',
  'answer-empty',
  'forged-reference',
  'notified-before-answer',
];

export const WATCHABLE: readonly Situation[] = ORDERED_IDS.flatMap((id) => SITUATIONS.filter((each) => each.id === id));

/** Operations whose payerReference is the shop's id of an order. Payments that payers start, as by a link, have none. */
const ORDER_OPERATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

/** How many of the newest orders keep their situation when the shop calls again; without a limit, the scenario would grow without end. */
const MAX_KNOWN_ORDERS = 300;

export interface OrderSituation {
  reference: string;
  situation: Situation;
}

/** A new order meets `next`; a known order stays in its situation, but without the fault, which has already happened. */
export function scenarioFor(next: Situation, knownOrders: readonly OrderSituation[], channels: readonly string[]) {
  const recent = knownOrders.slice(-MAX_KNOWN_ORDERS);
  const knownRules = [...new Set(recent.map(({ situation }) => situation))].map((situation) => {
    const references = recent.filter((order) => order.situation === situation).map(({ reference }) => reference);
    const body = { properties: { payerReference: { enum: [...new Set(references)] } }, required: ['payerReference'] };
    const { fault: _, ...rule } = ruleOf(situation);
    return { ...rule, when: { operation: ORDER_OPERATIONS, body } };
  });
  return {
    name: nameOf(next),
    description: next.title,
    rules: [...knownRules, { ...ruleOf(next), when: { operation: ORDER_OPERATIONS, channel: [...channels] } }],
  };
}

function ruleOf(situation: Situation): Record<string, unknown> {
  const [rule] = scenarioOf(caseOf([situation])).rules;
  return { ...rule };
}

const nameOf = ({ id }: Situation) => `watch-${id}`;

/** The situation of a scenario's rule, as in `decidedBy` of a payment; undefined for a rule of another scenario. */
export function situationOfRule(decidedBy: string | undefined): Situation | undefined {
  return WATCHABLE.find((each) => decidedBy?.endsWith(` of ${nameOf(each)}`));
}
