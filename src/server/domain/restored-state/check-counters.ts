import { isNameIn, namesIn } from '../../../base/members.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';
import type { Steps } from '../../../base/steps.ts';
import { MAX_RECORD_NUMBER } from '../../store/record-numbers.ts';
import type { CollectionName, SessionSnapshot } from '../../store/store.ts';
import { BOOKED_COLLECTIONS } from '../books/ledger/record-movements.ts';

/** The counters of the ids of collections. The collections that are not listed have none. */
const COUNTERS = {
  payments: 'payment',
  payouts: 'payout',
  settlements: 'settlement',
  links: 'link',
  images: 'image',
  recurringPayments: 'recurringPayment',
  paymentTokens: 'paymentToken',
  shopCodes: 'shopCode',
  endpoints: 'endpoint',
  deliveries: 'delivery',
} as const satisfies Partial<Record<CollectionName, string>>;

/** Checks that each counter has a number left, because the restored session could not continue otherwise. */
export function checkCounters({ state: { counters } }: SessionSnapshot): Finding[] {
  return Object.entries(counters).flatMap(([name, last]) =>
    last < MAX_RECORD_NUMBER
      ? []
      : [errorFinding(memberPath('$.state.counters', name), `a number below ${MAX_RECORD_NUMBER}`, `number ${last}`)],
  );
}

/** Finds ids above their counter, which would be assigned again. */
export function* checkIds({ state, ...collections }: SessionSnapshot): Steps<Finding[]> {
  const findings: Finding[] = [];
  for (const collection of namesIn(collections)) {
    const last = isNameIn(COUNTERS, collection)
      ? (state.counters[COUNTERS[collection]] ?? 0)
      : Number.POSITIVE_INFINITY;
    for (const [index, { id }] of (collections[collection] ?? []).entries()) {
      if (Number(/\d+$/.exec(id)?.[0] ?? 0) > last) {
        const expected = `a number up to ${last}, as $.state.counters says`;
        findings.push(errorFinding(`$.${collection}[${index}].id`, expected, JSON.stringify(id)));
      }
      yield;
    }
  }
  return findings;
}

/** Checks the counters of booked collections, whose records are never removed, and the last record numbers of settlements. */
export function checkRecordCounts({ state, ...collections }: SessionSnapshot): Finding[] {
  return BOOKED_COLLECTIONS.flatMap((collection) => {
    const records = collections[collection]?.length ?? 0;
    const last = state.counters[COUNTERS[collection]] ?? 0;
    const expected = `${records}, as there are ${records} ${collection} and none is ever removed`;
    const path = `$.state.counters.${COUNTERS[collection]}`;
    const wrongLastNumbers = (collections.settlements ?? []).flatMap((settlement, index) => {
      const number = settlement.last?.[collection] ?? 0;
      const lastPath = `$.settlements[${index}].last.${collection}`;
      return number <= records ? [] : [errorFinding(lastPath, `at most ${records}`, String(number))];
    });
    return last === records ? wrongLastNumbers : [errorFinding(path, expected, String(last)), ...wrongLastNumbers];
  });
}
