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
import { nextIssue } from '../books/settlements/report-issues.ts';
import { type ByCollection, mapRecords, validateAmount, validateDueAt, validateHistory } from './validate-members.ts';
import { validatePayment } from './validate-payment.ts';
import { validatePayout } from './validate-payout.ts';

/** Checks that need only the record itself; the paths of their findings begin at the record. */
const CHECKS: ByCollection<Finding[]> = {
  payments: validatePayment,
  payouts: validatePayout,
  settlements: validateSettlement,
  recurringPayments: validateRecurring,
  links: validateLink,
  shopCodes: validateShopCode,
  deliveries: validateDelivery,
};

export function* checkRecords(snapshot: SessionSnapshot): Steps<Finding[]> {
  const checked = yield* mapRecords(snapshot, CHECKS);
  const findings = checked.map(({ path, result: finding }) => ({ ...finding, path: path + finding.path }));
  return [...findings, ...findUnresumableDeliveries(snapshot)];
}

/** Finds deliveries that are held without a queue that is halted or paused, because they could never be resumed. */
function findUnresumableDeliveries({ deliveries = [], webhookQueues = [] }: SessionSnapshot): Finding[] {
  const stoppedQueues = new Set(
    webhookQueues.flatMap(({ id, state }) => (state === 'halted' || state === 'paused' ? [id] : [])),
  );
  return deliveries.flatMap(({ state, queue }, index) =>
    state === 'held' && !(queue !== undefined && stoppedQueues.has(queue))
      ? [
          errorFinding(
            `$.deliveries[${index}].queue`,
            'one of $.webhookQueues that is halted or paused, as the delivery is held',
            JSON.stringify(queue) ?? 'nothing',
          ),
        ]
      : [],
  );
}

function validateSettlement(settlement: Settlement): Finding[] {
  const { state, history, dueAt, failure } = settlement;
  const hasOnlyReportsLeft = state !== 'Open' && state !== 'InTransit';
  const next = failure && dueAt === null ? undefined : nextIssue(settlement);
  return [...validateHistory(history, 'Open'), ...(hasOnlyReportsLeft ? validateDueAt(dueAt, next?.at ?? null) : [])];
}

function validateRecurring({ amount, startDate, expiryDate, state, dueAt, createdAt }: RecurringPayment): Finding[] {
  const hasValidDueAt = dueAt !== null && dueAt >= createdAt;
  const expected = `an instant from ${formatUtc(createdAt)} on, when it was added, as it is Active`;
  return [
    ...validateAmount('.amount', amount, 1),
    ...validateDays('.expiryDate', startDate, expiryDate),
    ...(state === 'Active' && !hasValidDueAt ? [errorFinding('.dueAt', expected, String(dueAt))] : []),
    ...(state === 'Active' ? [] : validateDueAt(dueAt, null)),
  ];
}

function validateLink({ startDate, endDate }: PaymentLink): Finding[] {
  return validateDays('.endDate', startDate, endDate);
}

function validateDays(path: string, first: string, last: string): Finding[] {
  return first <= last ? [] : [errorFinding(path, `a day from ${first} on`, last)];
}

function validateShopCode({ amount }: ShopCode): Finding[] {
  return amount === null ? [] : validateAmount('.amount', amount, 1);
}

function validateDelivery({ state, dueAt }: Delivery): Finding[] {
  if (state !== 'pending') {
    return validateDueAt(dueAt, null);
  }
  return dueAt === null ? [errorFinding('.dueAt', 'an instant, as it is pending', 'null')] : [];
}
