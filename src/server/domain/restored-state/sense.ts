import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type {
  Delivery,
  PaymentLink,
  RecurringPayment,
  Settlement,
  ShopCode,
} from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import { formatUtc } from '../../../base/time.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import { nextIssue } from '../books/settlements/issues.ts';
import { amountBroken, type ByCollection, dueBroken, historyBroken, mapRecords } from './facts.ts';
import { paymentBroken } from './payment-broken.ts';
import { payoutBroken } from './payout-broken.ts';

/** Where a record says what no record of its kind does; paths are from the record. What the books say of it, their check does. */
const CHECKS: ByCollection<Finding[]> = {
  payments: paymentBroken,
  payouts: payoutBroken,
  settlements: settlementBroken,
  recurringPayments: recurringBroken,
  links: linkBroken,
  shopCodes: shopCodeBroken,
  deliveries: deliveryBroken,
};

export function* checkSense(snapshot: SessionSnapshot): Steps<Finding[]> {
  const said = yield* mapRecords(snapshot, CHECKS);
  const broken = said.map(({ place, said: finding }) => ({ ...finding, path: place + finding.path }));
  return [...broken, ...heldForNothing(snapshot)];
}

/** Deliveries that wait in a queue which is neither halted nor paused: nobody could resume it. */
function heldForNothing({ deliveries = [], webhookQueues = [] }: SessionSnapshot): Finding[] {
  const stopped = new Set(
    webhookQueues.flatMap(({ id, state }) => (state === 'halted' || state === 'paused' ? [id] : [])),
  );
  return deliveries.flatMap(({ state, queue }, index) =>
    state === 'held' && !(queue !== undefined && stopped.has(queue))
      ? [
          errorFinding(
            `$.deliveries[${index}].queue`,
            'one of $.webhookQueues that is halted, as it is held',
            JSON.stringify(queue) ?? 'nothing',
          ),
        ]
      : [],
  );
}

function settlementBroken(settlement: Settlement): Finding[] {
  const { state, history, dueAt, failure } = settlement;
  const isDone = state !== 'Open' && state !== 'InTransit';
  const next = failure ? undefined : nextIssue(settlement);
  return [...historyBroken(history, 'Open'), ...(isDone ? dueBroken(dueAt, next?.at ?? null) : [])];
}

function recurringBroken({ amount, startDate, expiryDate, state, dueAt, createdAt }: RecurringPayment): Finding[] {
  const isDue = dueAt !== null && dueAt >= createdAt;
  const expected = `an instant from ${formatUtc(createdAt)} on, when it was added, as it is Active`;
  return [
    ...amountBroken('.amount', amount, 1),
    ...daysBroken('.expiryDate', startDate, expiryDate),
    ...(state === 'Active' && !isDue ? [errorFinding('.dueAt', expected, String(dueAt))] : []),
    ...(state === 'Active' ? [] : dueBroken(dueAt, null)),
  ];
}

function linkBroken({ startDate, endDate }: PaymentLink): Finding[] {
  return daysBroken('.endDate', startDate, endDate);
}

function daysBroken(path: string, first: string, last: string): Finding[] {
  return first <= last ? [] : [errorFinding(path, `a day from ${first} on`, last)];
}

function shopCodeBroken({ amount }: ShopCode): Finding[] {
  return amount === null ? [] : amountBroken('.amount', amount, 1);
}

function deliveryBroken({ state, dueAt }: Delivery): Finding[] {
  return state === 'pending' && dueAt === null
    ? [errorFinding('.dueAt', 'an instant, as it is pending', 'null')]
    : state === 'pending'
      ? []
      : dueBroken(dueAt, null);
}
