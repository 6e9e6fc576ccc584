import { isNameIn } from '../../../base/members.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { CollectionName, Records, SessionSnapshot } from '../../store/store.ts';
import { type ByCollection, mapRecords } from './validate-members.ts';

type Owner = Pick<Payment, 'merchantId' | 'environment'>;

/** A reference from one record to another. */
interface Reference {
  /** The path of the referring member, from its record. */
  path: string;
  to: CollectionName;
  /** The member of the target that contains the name. Default: id. */
  by?: string;
  name: string;
  /** The required merchant and environment of the target. */
  owner?: Owner;
}

/** The collection of the record that originated a payment, by origin. */
const ORIGINS = {
  link: 'links',
  recurring: 'recurringPayments',
  token: 'paymentTokens',
  'shop-code': 'shopCodes',
} as const satisfies Record<Exclude<Payment['origin'], 'merchant'>, CollectionName>;

const REFERENCES: ByCollection<Reference[]> = {
  payments: (payment) => [
    merchantReference(payment),
    ...payment.shares.map((share, index) => merchantReference(share, `.shares[${index}]`)),
    ...originOf(payment),
  ],
  payouts: (payout) => [
    merchantReference(payout),
    ...payout.credits.flatMap(({ merchantId }, index) =>
      merchantId === null ? [] : merchantReference({ merchantId }, `.credits[${index}]`),
    ),
  ],
  settlements: (settlement) => [merchantReference(settlement), ...failedPaymentOf(settlement)],
  links: (link) => [
    merchantReference(link),
    ...(link.imageId === null ? [] : [{ path: '.imageId', to: 'images' as const, name: link.imageId }]),
  ],
  recurringPayments: (recurring) => [
    merchantReference(recurring),
    { path: '.paymentToken', to: 'paymentTokens', by: 'token', name: recurring.paymentToken, owner: recurring },
  ],
  paymentTokens: (token) => [merchantReference(token)],
  shopCodes: (code) => [merchantReference(code)],
  deliveries: (delivery) => (delivery.isTest ? [] : subjectOf(delivery)),
};

/** Finds references to records that do not exist, or that belong to another merchant or environment. */
export function* checkReferences(snapshot: SessionSnapshot, fixtures: Fixtures): Steps<Finding[]> {
  const find = recordFinder(snapshot, fixtures);
  const findings: Finding[] = [];
  for (const { path, result } of yield* mapRecords(snapshot, REFERENCES)) {
    findings.push(...checkReference(path + result.path, result, find(result)));
    yield;
  }
  return findings;
}

function checkReference(path: string, { to, name, owner }: Reference, target: Partial<Owner> | undefined): Finding[] {
  if (!target) {
    return [errorFinding(path, `one of ${to === 'merchants' ? 'the merchants' : `$.${to}`}`, JSON.stringify(name))];
  }
  const hasSameOwner = !owner || (target.merchantId === owner.merchantId && target.environment === owner.environment);
  const expected = `one of merchant ${owner?.merchantId} in the ${owner?.environment} environment`;
  const received = `${JSON.stringify(name)}, of ${target.merchantId} in ${target.environment}`;
  return hasSameOwner ? [] : [errorFinding(path, expected, received)];
}

/** Finds the targets of references; merchants also in the fixture. */
function recordFinder(snapshot: SessionSnapshot, fixtures: Fixtures): (reference: Reference) => object | undefined {
  const maps = new Map<string, ReadonlyMap<unknown, object>>();
  return ({ to, by = 'id', name }) => {
    const key = `${to} ${by}`;
    const map = maps.get(key) ?? new Map((snapshot[to] ?? []).map((record) => [Reflect.get(record, by), record]));
    maps.set(key, map);
    return map.get(name) ?? (to === 'merchants' ? fixtures.merchant(name) : undefined);
  };
}

function merchantReference({ merchantId }: Pick<Owner, 'merchantId'>, path = ''): Reference {
  return { path: `${path}.merchantId`, to: 'merchants', name: merchantId };
}

function originOf({ origin, originId, merchantId, environment }: Payment): Reference[] {
  return origin === 'merchant'
    ? []
    : [{ path: '.originId', to: ORIGINS[origin], name: originId ?? '', owner: { merchantId, environment } }];
}

/** The failed payment that a settlement's file lists as paid. */
function failedPaymentOf(settlement: Records['settlements']): Reference[] {
  const { failed: name } = settlement.mismatches ?? {};
  return name === undefined ? [] : [{ path: '.mismatches.failed', to: 'payments', name, owner: settlement }];
}

/** The subject of a notification: a payment, a payout or a settlement, by its event type. */
function subjectOf({ type, subjectId }: Records['deliveries']): Reference[] {
  const kinds = { payment: 'payments', payout: 'payouts', settlement: 'settlements' } as const;
  const kind = type.slice(0, type.indexOf('.'));
  const to = isNameIn(kinds, kind) ? kinds[kind] : 'payments';
  return [{ path: '.subjectId', to, name: subjectId }];
}
