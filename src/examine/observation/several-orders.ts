import type { PaymentView } from '../../base/schema/generated/control.ts';
import { type Case, scenarioOf } from '../cases/case.ts';
import { MissingSupport } from '../race/missing-support.ts';
import type { OrderInput } from '../shop/adapter.ts';
import { type ExaminedShop, restartShop } from '../shop/examined-shop.ts';
import { FAULTS } from '../situations/calls.ts';
import { FIRST_OUTCOME_AFTER, type SeveralOrders } from '../situations/situation.ts';
import { INITIATIONS, NOTHING_SEEN, type Observation } from './observation.ts';
import { assertShopRuns, prepareCase, runUntilQuiet } from './observe.ts';
import { type Placement, placeOrder } from './place-order.ts';
import { readProviderSide, waitForPayments } from './provider-side.ts';
import { awaitOrderState } from './shop-timers.ts';

/** Session time after which the payments of all orders have their outcome. */
const OUTCOMES_WAIT = 'PT20M';

/** Outcomes at different times, because otherwise a shop that confuses equal orders would not be detected. */
const PLANS = {
  Paid: { outcome: 'Paid', after: FIRST_OUTCOME_AFTER },
  Failed: { outcome: 'Failed', after: 'PT10S' },
} as const;

/** One of several orders; `target` shows only its own payments, notifications and payment requests. */
export interface OneOrder {
  target: ExaminedShop;
  observe(): Promise<Observation>;
}

interface PlacedOrder {
  order: OrderInput;
  placed: Placement;
  payments: readonly PaymentView[];
}

/** Throws AdapterError, and MissingSupport if the shop does not handle such orders separately. */
export async function placeSeveral(
  several: SeveralOrders,
  testCase: Case,
  order: OrderInput,
  target: ExaminedShop,
): Promise<OneOrder[]> {
  await prepareCase(testCase, target);
  const orders = await placeAll(several, testCase, order, target);
  if (several.failingIndex !== undefined) {
    await failQueries(orders[several.failingIndex]?.payments ?? [], testCase, target);
  }
  const states = new Set<string | undefined>();
  for (const { placed } of several.haveOwnPayers ? [] : orders) {
    states.add((await awaitOrderState(placed.orderId, target))?.state);
  }
  if (states.size > 1) {
    throw new MissingSupport(`the shop treats equal orders differently before any is paid: ${[...states].join(', ')}`);
  }
  await target.client.advance(OUTCOMES_WAIT);
  await runUntilQuiet(undefined, undefined, target);
  for (const { placed } of orders) {
    await assertShopRuns(placed, target);
  }
  return orders.filter((_, index) => index !== several.failingIndex).map((each) => isolate(each, orders, target));
}

/** Places the orders, and assigns a payment to each. Payments of equal orders are interchangeable if they are requested at once. */
async function placeAll(
  { outcomes, areAtOnce, haveOwnPayers }: SeveralOrders,
  testCase: Case,
  order: OrderInput,
  target: ExaminedShop,
): Promise<PlacedOrder[]> {
  const { isRestarted } = testCase.alone;
  const { rules, ...scenario } = scenarioOf(testCase);
  const [payment, ...otherRules] = rules;
  const orders: PlacedOrder[] = [];
  const assignedIds = new Set<string>();
  for (const group of areAtOnce ? [outcomes] : outcomes.map((each) => [each])) {
    const [outcome = 'Paid'] = group;
    if (isRestarted && orders.length > 0) {
      await restartShop(target);
    }
    await target.client.defineScenario({ ...scenario, rules: [{ ...payment, settle: PLANS[outcome] }, ...otherRules] });
    const groupOrder = haveOwnPayers ? { ...order, payer: payerWith(orders.length, order) } : order;
    const placed = await Promise.all(group.map(() => placeAccepted(groupOrder, target)));
    const ids = [...orders.map((each) => each.placed), ...placed].map(({ orderId }) => orderId);
    if (!isRestarted && new Set(ids).size < ids.length) {
      throw new MissingSupport('the shop treats two equal orders as one: it needs another customer or basket for each');
    }
    const payments = await waitForPayments(target, groupOrder, group.length, ({ id }) => !assignedIds.has(id));
    if (payments.length < group.length) {
      throw new MissingSupport('the shop requested no payment for one of several open orders');
    }
    for (const { id } of payments) {
      assignedIds.add(id);
    }
    orders.push(
      ...placed.map((each, index) => ({ order: groupOrder, placed: each, payments: payments.slice(index, index + 1) })),
    );
  }
  return orders;
}

async function placeAccepted(order: OrderInput, target: ExaminedShop): Promise<Placement> {
  const placed = await placeOrder(order, target);
  if (placed.orderId === undefined || placed.refusal !== undefined) {
    throw new MissingSupport(`the shop did not accept one of several open orders: ${placed.refusal}`);
  }
  return placed;
}

/** A different customer for each order, because a shop may treat equal orders of one customer as one order. */
function payerWith(index: number, { payer: { name, mobile } }: OrderInput): OrderInput['payer'] {
  const number = String(index + 1).padStart(2, '0');
  return { name: `${name} ${number}`, mobile: mobile.slice(0, -number.length) + number };
}

async function failQueries(payments: readonly PaymentView[], testCase: Case, target: ExaminedShop): Promise<void> {
  const identifiers = payments.flatMap(({ payerReference, paymentId, paymentCode }) => [
    payerReference,
    paymentId,
    paymentCode,
  ]);
  const reference = { enum: identifiers.filter((each) => each !== null) };
  const body = { properties: { transactionReference: reference }, required: ['transactionReference'] };
  const { rules, ...scenario } = scenarioOf(testCase);
  const failing = { when: { operation: 'getPaymentStatus', body }, fault: FAULTS.refused };
  await target.client.defineScenario({ ...scenario, rules: [failing, ...rules] });
}

function isolate({ order, placed, payments }: PlacedOrder, all: PlacedOrder[], target: ExaminedShop): OneOrder {
  const otherIds = idsOf(all.flatMap((each) => (each.placed === placed ? [] : each.payments)));
  const ownIds = idsOf(payments);
  const references = new Set(payments.map(({ payerReference }) => payerReference));
  const earlierOrders: ExaminedShop['earlierOrders'] = {
    references: target.earlierOrders.references,
    startCase: () => target.earlierOrders.startCase(),
    add: (records) => target.earlierOrders.add(records, order),
    without(records) {
      const ofOrder = records.payments.filter(
        ({ id, payerReference }) => ownIds.has(id) || (!otherIds.has(id) && references.has(payerReference)),
      );
      const ids = idsOf(ofOrder);
      return {
        payments: ofOrder,
        deliveries: records.deliveries.filter(({ subjectId }) => ids.has(subjectId)),
        requests: records.requests.filter(
          ({ operation, records: made }) => !INITIATIONS.has(operation ?? '') || made.some(({ id }) => ids.has(id)),
        ),
      };
    },
  };
  const ownTarget = { ...target, earlierOrders };
  return {
    target: ownTarget,
    async observe() {
      const finalState = await awaitOrderState(placed.orderId, ownTarget);
      const side = await readProviderSide(ownTarget, order);
      target.earlierOrders.add(side, order);
      return { ...NOTHING_SEEN, order, ...placed, finalState, ...side };
    },
  };
}

const idsOf = (payments: readonly PaymentView[]) => new Set(payments.map(({ id }) => id));
