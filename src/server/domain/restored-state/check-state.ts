import { errorFinding, type Finding } from '../../../base/refusal.ts';
import { runInTurns } from '../../../base/run-in-turns.ts';
import { checkName } from '../../config/check-name.ts';
import { checkScenario } from '../../config/check-scenario.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { STANDARD_BEHAVIOUR } from '../../sessions/behaviour-name.ts';
import type { Reader } from '../../sessions/reader.ts';
import { checkShape, findRepeatedIds } from '../../store/session-shape.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import { checkBooks } from '../books/ledger/check-books.ts';
import type { BookDifference } from '../books/ledger/difference.ts';
import { BOOKED_COLLECTIONS, type BookedCollection } from '../books/ledger/record-movements.ts';
import { checkCounters, checkIds, checkRecordCounts } from './check-counters.ts';
import { checkRecords } from './check-records.ts';
import { checkReferences } from './check-references.ts';

/**
 * Finds errors in a state that this sandbox may not have written, because it was imported or its file was edited. If something does
 * not match its schema, only such errors are reported, because the other checks need valid records.
 */
export async function checkState(input: object, fixtures: Fixtures): Promise<readonly Finding[]> {
  const shapeFindings = await checkShape(input);
  if (shapeFindings.length > 0) {
    return shapeFindings;
  }
  const snapshot = input as SessionSnapshot;
  return [
    ...checkNames(snapshot, fixtures),
    ...checkCounters(snapshot),
    ...(await runInTurns(findRepeatedIds(snapshot))),
    ...(await runInTurns(checkIds(snapshot))),
    ...(await checkScenarios(snapshot, fixtures)),
    ...(await checkConsistency(snapshot, fixtures)),
  ];
}

/** Finds contradictions between records, counters and the books. Records must match their schemas; collections may be missing. */
export async function checkConsistency(snapshot: SessionSnapshot, fixtures: Fixtures): Promise<Finding[]> {
  return [
    ...(await runInTurns(checkReferences(snapshot, fixtures))),
    ...(await runInTurns(checkRecords(snapshot))),
    ...checkRecordCounts(snapshot),
    ...(await checkLedger(snapshot)),
  ];
}

/** Finds unknown scenarios and behaviours. Those of `start` must be in fixtures, because a reset deletes scenarios that a session defined. */
function checkNames({ state, scenarios = [] }: SessionSnapshot, fixtures: Fixtures): Finding[] {
  const fixtureNames = [...fixtures.scenarios.keys()];
  const places = [
    { path: '$.state', facts: state, known: [...fixtureNames, ...scenarios.map(({ id }) => id)] },
    { path: '$.state.start', facts: state.start, known: fixtureNames },
  ];
  const behaviours = [...fixtures.behaviours.keys()];
  return places.flatMap(({ path, facts: { scenario, behaviour = STANDARD_BEHAVIOUR }, known }) => [
    ...checkName(scenario, known, `${path}.scenario`),
    ...checkName(behaviour, behaviours, `${path}.behaviour`),
  ]);
}

/** Checks restored scenarios like newly defined ones. */
async function checkScenarios({ scenarios = [] }: SessionSnapshot, fixtures: Fixtures): Promise<Finding[]> {
  const findingsOfScenarios = await Promise.all(
    scenarios.map(async ({ id, scenario }, index) => {
      const path = `$.scenarios[${index}]`;
      const problems = await checkScenario(scenario, fixtures);
      const findings = problems.map((finding) => ({ ...finding, path: `${path}.scenario${finding.path.slice(1)}` }));
      return scenario.name === id ? findings : [...findings, errorFinding(`${path}.id`, "the scenario's name", id)];
    }),
  );
  return findingsOfScenarios.flat();
}

/** Gives checkBooks pages of the lists, with indexes as cursors. */
async function checkLedger({ state, ...collections }: SessionSnapshot): Promise<Finding[]> {
  const list = (async (collection: BookedCollection, { limit, after = 0 }: { limit: number; after?: number }) => {
    const records = collections[collection] ?? [];
    const end = after + limit;
    return { items: records.slice(after, end), nextCursor: end < records.length ? end : null };
  }) as Reader['list'];
  const { differences, more } = await checkBooks({ list }, state.counters['move'] ?? 0);
  const pathOf = (recordId: string) =>
    BOOKED_COLLECTIONS.flatMap((collection) => {
      const index = (collections[collection] ?? []).findIndex(({ id }) => id === recordId);
      return index === -1 ? [] : [`$.${collection}[${index}]`];
    })[0];
  const findings = differences.map((difference) => findingOf(difference, pathOf));
  return more > 0 ? [...findings, errorFinding('$', 'books that agree', `${more} more differences`)] : findings;
}

/** The subject of a record's difference ends with the id: `credit 1 of payout-3`. A move without a record means a wrong counter. */
function findingOf({ subject, expected, found }: BookDifference, pathOf: (id: string) => string | undefined): Finding {
  const recordPath = pathOf(subject.slice(subject.lastIndexOf(' ') + 1));
  const path = recordPath ?? (subject.startsWith('move ') ? '$.state.counters.move' : '$');
  return errorFinding(path, `${expected} (${subject})`, found);
}
