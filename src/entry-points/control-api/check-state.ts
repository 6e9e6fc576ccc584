import { capFindings, errorFinding, type Finding, refuseFindings } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { validate } from '../../base/schema/validation.ts';
import { checkScenario } from '../../config/check-scenario.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { checkRestored } from '../../domain/restored-state/restored-state.ts';
import type { Session } from '../../sessions/session.ts';
import { COLLECTIONS } from '../../store/collections.ts';
import { FORMAT } from '../../store/embedded/state.ts';
import { LAST_NUMBER } from '../../store/record-numbers.ts';
import { recordSchemas } from '../../store/record-schemas.ts';
import type { CollectionName, SessionSnapshot } from '../../store/store.ts';

/** Nobody fixes more wrong fields at once. */
const ENOUGH = 100;

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

/** Refuses a state that a session could not go on with, whatever its shape, naming every place. Nothing is changed before. */
export async function checkState(came: object, session: Session): Promise<SessionSnapshot> {
  refuse(await checkShape(came, session.name));
  const snapshot = came as SessionSnapshot;
  refuse([
    ...checkFacts(snapshot, session.fixtures),
    ...checkCounters(snapshot),
    ...checkRecords(snapshot),
    ...(await checkScenarios(snapshot, session.fixtures)),
    ...(await checkRestored(snapshot, session.fixtures)),
  ]);
  return snapshot;
}

/** What does not fit the schemas: first all that is no record, then record by record until enough is wrong. */
async function checkShape(came: object, name: string): Promise<readonly Finding[]> {
  const isList = (collection: string, value: unknown) => Object.hasOwn(COLLECTIONS, collection) && Array.isArray(value);
  const outline = Object.fromEntries(
    Object.entries(came).map(([key, value]) => [key, isList(key, value) ? [] : value]),
  );
  const fields = await validate('state', { format: FORMAT, lastCommit: 0, sessions: [{ ...outline, name }] });
  const findings = fields.map((finding) => at('$', finding, /^\$\.sessions\[0\]/));
  if ('name' in came) {
    findings.push(errorFinding('$.name', 'no such member: a state is put into the session that is called', 'one'));
  }
  for (const [collection, records] of Object.entries(came).filter(([key, value]) => isList(key, value))) {
    const schema = recordSchemas()[collection as CollectionName];
    for (const [index, record] of (records as unknown[]).entries()) {
      const place = `$.${collection}[${index}]`;
      const broken = [...(await validate(schema, record)), ...unsafeNumbers(record, '$')];
      findings.push(...broken.map((finding) => at(place, finding)));
      if (findings.length > ENOUGH) {
        return findings;
      }
    }
  }
  return findings;
}

/** Numbers with which nobody can reckon: what comes of them may be none that JSON has. */
function unsafeNumbers(value: unknown, path: string): Finding[] {
  if (typeof value === 'number') {
    const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isSafe ? [] : [errorFinding(path, `a number up to ${Number.MAX_SAFE_INTEGER}`, `number ${value}`)];
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return members.flatMap(([name, member]) =>
    unsafeNumbers(member, memberPath(path, Array.isArray(value) ? Number(name) : name)),
  );
}

/** A finding by its place in the whole state. */
function at(place: string, finding: Finding, root: RegExp = /^\$/): Finding {
  return { ...finding, path: finding.path.replace(root, () => place) };
}

function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) {
    throw refuseFindings(capFindings(findings));
  }
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

/** Each record's id its own, and none that would be given out once more. */
function checkRecords({ state, ...collections }: SessionSnapshot): Finding[] {
  return Object.entries(collections).flatMap(([collection, records]) => {
    const counter = COUNTERS[collection as CollectionName];
    const last = counter === undefined ? Number.POSITIVE_INFINITY : (state.counters[counter] ?? 0);
    const seen = new Set<string>();
    return records.flatMap(({ id }, index) => {
      const path = `$.${collection}[${index}].id`;
      if (seen.size === seen.add(id).size) {
        return [errorFinding(path, 'an id that no other record has', JSON.stringify(id))];
      }
      const number = Number(/\d+$/.exec(id)?.[0] ?? 0);
      return number > last
        ? [errorFinding(path, `a number up to ${last}, as $.state.counters says`, JSON.stringify(id))]
        : [];
    });
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
