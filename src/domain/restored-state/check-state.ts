import { namesIn } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { checkScenario } from '../../config/check-scenario.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { LAST_NUMBER } from '../../store/record-numbers.ts';
import { checkShape, repeatedIds } from '../../store/session-shape.ts';
import type { CollectionName, SessionSnapshot } from '../../store/store.ts';
import { checkRestored } from './restored-state.ts';

/** The counters that number a collection's records; merchants and scenarios have names of their own. */
const COUNTERS: Partial<Record<CollectionName, string>> = {
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
};

/**
 * Where a state that this sandbox may not have written, of whatever shape, could not be gone on with: one that is imported, or that stands
 * in a file that was edited. Where something does not fit its schema, only that.
 */
export async function checkState(came: object, fixtures: Fixtures): Promise<readonly Finding[]> {
  const misshapen = await checkShape(came);
  if (misshapen.length > 0) {
    return misshapen;
  }
  const snapshot = came as SessionSnapshot;
  return [
    ...checkFacts(snapshot, fixtures),
    ...checkCounters(snapshot),
    ...repeatedIds(snapshot),
    ...checkNumbers(snapshot),
    ...(await checkScenarios(snapshot, fixtures)),
    ...(await checkRestored(snapshot, fixtures)),
  ];
}

/** Scenarios that there are: a reset forgets those that were defined in the session. */
function checkFacts({ state, scenarios = [] }: SessionSnapshot, fixtures: Fixtures): Finding[] {
  const shipped = [...fixtures.scenarios.keys()];
  const places = [
    { path: '$.state', facts: state, known: [...shipped, ...scenarios.map(({ id }) => id)] },
    { path: '$.state.start', facts: state.start, known: shipped },
  ];
  return places.flatMap(({ path, facts: { scenario }, known }) =>
    known.includes(scenario)
      ? []
      : [errorFinding(`${path}.scenario`, `one of ${known.join(', ')}`, JSON.stringify(scenario))],
  );
}

/** The restored session must be able to go on: each counter has a number left. */
function checkCounters({ state: { counters } }: SessionSnapshot): Finding[] {
  return Object.entries(counters).flatMap(([name, last]) =>
    last < LAST_NUMBER
      ? []
      : [errorFinding(memberPath('$.state.counters', name), `a number below ${LAST_NUMBER}`, `number ${last}`)],
  );
}

/** Ids that would be given out once more. */
function checkNumbers({ state, ...collections }: SessionSnapshot): Finding[] {
  return namesIn(collections).flatMap((collection) => {
    const counter = COUNTERS[collection];
    const last = counter === undefined ? Number.POSITIVE_INFINITY : (state.counters[counter] ?? 0);
    return (collections[collection] ?? []).flatMap(({ id }, index) =>
      Number(/\d+$/.exec(id)?.[0] ?? 0) > last
        ? [
            errorFinding(
              `$.${collection}[${index}].id`,
              `a number up to ${last}, as $.state.counters says`,
              JSON.stringify(id),
            ),
          ]
        : [],
    );
  });
}

/** A scenario that comes this way must work as well as one that is defined. */
async function checkScenarios({ scenarios = [] }: SessionSnapshot, fixtures: Fixtures): Promise<Finding[]> {
  const checked = await Promise.all(
    scenarios.map(async ({ id, scenario }, index) => {
      const path = `$.scenarios[${index}]`;
      const broken = await checkScenario(scenario, fixtures.channels.channels);
      const findings = broken.map((finding) => ({ ...finding, path: `${path}.scenario${finding.path.slice(1)}` }));
      return scenario.name === id ? findings : [...findings, errorFinding(`${path}.id`, "the scenario's name", id)];
    }),
  );
  return checked.flat();
}
