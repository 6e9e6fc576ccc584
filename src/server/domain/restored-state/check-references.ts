import { isNameIn } from '../../../base/members.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { CollectionName, Records, SessionSnapshot } from '../../store/store.ts';
import { type ByCollection, mapRecords } from './validate-members.ts';

type Owner = Pick<Payment, 'merchantId' | 'environment'>;

interface Reference {
  /** The path of the referring member, from its record. */
  path: string;
  to: CollectionName;
  /** The member of the target that must equal `value`. Default: id. */
  by?: string;
  value: string;
  /** The required merchant and environment of the target. */
  owner?: Owner;
}

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
    ...originReferences(payment),
  ],
  payouts: (payout) => [
    merchantReference(payout),
    ...payout.credits.flatMap(({ merchantId }, index) =>
      merchantId === null ? [] : merchantReference({ merchantId }, `.credits[${index}]`),
    ),
  ],
  settlements: (settlement) => [merchantReference(settlement), ...failedPaymentReferences(settlement)],
  links: (link) => [
    merchantReference(link),
    ...(link.imageId === null ? [] : [{ path: '.imageId', to: 'images' as const, value: link.imageId }]),
  ],
  recurringPayments: (recurring) => [
    merchantReference(recurring),
    { path: '.paymentToken', to: 'paymentTokens', by: 'token', value: recurring.paymentToken, owner: recurring },
  ],
  paymentTokens: (token) => [merchantReference(token)],
  shopCodes: (code) => [merchantReference(code)],
  deliveries: (delivery) => (delivery.isTest ? [] : subjectReferences(delivery)),
};

/** Finds references to records that do not exist, or that belong to another merchant or environment. */
export function* checkReferences(snapshot: SessionSnapshot, fixtures: Fixtures): Steps<Finding[]> {
  const find = recordFinder(snapshot, fixtures);
  const findings: Finding[] = [];
  for (const { path, result: reference } of yield* mapRecords(snapshot, REFERENCES)) {
    findings.push(...checkReference(path + reference.path, reference, find(reference)));
    yield;
  }
  return findings;
}

function checkReference(path: string, { to, value, owner }: Reference, target: Partial<Owner> | undefined): Finding[] {
  if (!target) {
    return [errorFinding(path, `one of ${to === 'merchants' ? 'the merchants' : `$.${to}`}`, JSON.stringify(value))];
  }
  const hasSameOwner = !owner || (target.merchantId === owner.merchantId && target.environment === owner.environment);
  const expected = `one of merchant ${owner?.merchantId} in the ${owner?.environment} environment`;
  const received = `${JSON.stringify(value)}, of ${target.merchantId} in ${target.environment}`;
  return hasSameOwner ? [] : [errorFinding(path, expected, received)];
}

/** Finds the targets of references; merchants also in the fixture. */
function recordFinder(snapshot: SessionSnapshot, fixtures: Fixtures): (reference: Reference) => object | undefined {
  const maps = new Map<string, ReadonlyMap<unknown, object>>();
  return ({ to, by = 'id', value }) => {
    const key = `${to} ${by}`;
    const map = maps.get(key) ?? new Map((snapshot[to] ?? []).map((record) => [Reflect.get(record, by), record]));
    maps.set(key, map);
    return map.get(value) ?? (to === 'merchants' ? fixtures.merchant(value) : undefined);
  };
}

function merchantReference({ merchantId }: Pick<Owner, 'merchantId'>, path = ''): Reference {
  return { path: `${path}.merchantId`, to: 'merchants', value: merchantId };
}

function originReferences({ origin, originId, merchantId, environment }: Payment): Reference[] {
  return origin === 'merchant'
    ? []
    : [{ path: '.originId', to: ORIGINS[origin], value: originId ?? '', owner: { merchantId, environment } }];
}

/** The reference to the failed payment that a settlement's file lists as paid, if there is one. */
function failedPaymentReferences(settlement: Records['settlements']): Reference[] {
  const { failed: value } = settlement.mismatches ?? {};
  return value === undefined ? [] : [{ path: '.mismatches.failed', to: 'payments', value, owner: settlement }];
}

function subjectReferences({ type, subjectId }: Records['deliveries']): Reference[] {
  const kinds = { payment: 'payments', payout: 'payouts', settlement: 'settlements' } as const;
  const kind = type.slice(0, type.indexOf('.'));
  const to = isNameIn(kinds, kind) ? kinds[kind] : 'payments';
  return [{ path: '.subjectId', to, value: subjectId }];
}
