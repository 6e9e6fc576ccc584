import { isNameIn } from '../../../base/members.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { CollectionName, Records, SessionSnapshot } from '../../store/store.ts';
import { type ByCollection, mapRecords } from './facts.ts';

type Owner = Pick<Payment, 'merchantId' | 'environment'>;

/** A record that another one names. */
interface Reference {
  /** Where the name stands, from its record. */
  path: string;
  to: CollectionName;
  /** The member of the record that is named by. */
  by?: string;
  name: string;
  /** Whose the record that is named must be. */
  owner?: Owner;
}

/** What makes payments, by origin. */
const ORIGINS = {
  link: 'links',
  recurring: 'recurringPayments',
  token: 'paymentTokens',
  'shop-code': 'shopCodes',
} as const satisfies Record<Exclude<Payment['origin'], 'merchant'>, CollectionName>;

const REFERENCES: ByCollection<Reference[]> = {
  payments: (payment) => [
    merchant(payment),
    ...payment.shares.map((share, index) => merchant(share, `.shares[${index}]`)),
    ...originOf(payment),
  ],
  payouts: (payout) => [
    merchant(payout),
    ...payout.credits.flatMap(({ merchantId }, index) =>
      merchantId === null ? [] : merchant({ merchantId }, `.credits[${index}]`),
    ),
  ],
  settlements: (settlement) => [
    merchant(settlement),
    ...(settlement.mismatches?.failed === undefined
      ? []
      : [
          {
            path: '.mismatches.failed',
            to: 'payments' as const,
            name: settlement.mismatches.failed,
            owner: settlement,
          },
        ]),
  ],
  links: (link) => [
    merchant(link),
    ...(link.imageId === null ? [] : [{ path: '.imageId', to: 'images' as const, name: link.imageId }]),
  ],
  recurringPayments: (recurring) => [
    merchant(recurring),
    { path: '.paymentToken', to: 'paymentTokens', by: 'token', name: recurring.paymentToken, owner: recurring },
  ],
  paymentTokens: (token) => [merchant(token)],
  shopCodes: (code) => [merchant(code)],
  deliveries: (delivery) => (delivery.isTest ? [] : subjectOf(delivery)),
};

/** Finds references to records that do not exist, or that belong to another merchant. */
export function* checkReferences(snapshot: SessionSnapshot, fixtures: Fixtures): Steps<Finding[]> {
  const find = finderIn(snapshot, fixtures);
  const findings: Finding[] = [];
  for (const { place, said } of yield* mapRecords(snapshot, REFERENCES)) {
    findings.push(...broken(place + said.path, said, find(said)));
    yield;
  }
  return findings;
}

function broken(path: string, { to, name, owner }: Reference, named: Partial<Owner> | undefined): Finding[] {
  if (!named) {
    return [errorFinding(path, `one of ${to === 'merchants' ? 'the merchants' : `$.${to}`}`, JSON.stringify(name))];
  }
  const isOwn = !owner || (named.merchantId === owner.merchantId && named.environment === owner.environment);
  const expected = `one of merchant ${owner?.merchantId} in the ${owner?.environment} environment`;
  const received = `${JSON.stringify(name)}, of ${named.merchantId} in ${named.environment}`;
  return isOwn ? [] : [errorFinding(path, expected, received)];
}

/** Looks records up by what they are named by; merchants in the fixture, too. */
function finderIn(snapshot: SessionSnapshot, fixtures: Fixtures): (reference: Reference) => object | undefined {
  const maps = new Map<string, ReadonlyMap<unknown, object>>();
  return ({ to, by = 'id', name }) => {
    const key = `${to} ${by}`;
    const map = maps.get(key) ?? new Map((snapshot[to] ?? []).map((record) => [Reflect.get(record, by), record]));
    maps.set(key, map);
    return map.get(name) ?? (to === 'merchants' ? fixtures.merchant(name) : undefined);
  };
}

function merchant({ merchantId }: Pick<Owner, 'merchantId'>, place = ''): Reference {
  return { path: `${place}.merchantId`, to: 'merchants', name: merchantId };
}

function originOf({ origin, originId, merchantId, environment }: Payment): Reference[] {
  return origin === 'merchant'
    ? []
    : [{ path: '.originId', to: ORIGINS[origin], name: originId ?? '', owner: { merchantId, environment } }];
}

/** A notification is about a payment, a payout or a settlement, as its event is. */
function subjectOf({ type, subjectId }: Records['deliveries']): Reference[] {
  const kinds = { payment: 'payments', payout: 'payouts', settlement: 'settlements' } as const;
  const kind = type.slice(0, type.indexOf('.'));
  const to = isNameIn(kinds, kind) ? kinds[kind] : 'payments';
  return [{ path: '.subjectId', to, name: subjectId }];
}
