import { messageOf } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { readJsonFile } from '../../base/written-file.ts';
import { loadFixtures } from '../../server/index.ts';
import { caseOf, isDefault } from '../cases/case.ts';
import { parseFindingId } from '../cases/selection.ts';
import { AdapterError } from '../shop/adapter.ts';
import { SITUATIONS } from '../situations/situations.ts';
import { type CaseVerdict, findingIdOf } from './case-verdicts.ts';
import { INVARIANTS } from './invariants.ts';

/** Known violations, which do not fail a build. A listed one that is now handled does fail it, so that it is removed from the list. */
export type Baseline = ReadonlySet<string>;

/**
 * Reads ids of findings from a JSON list, or from the report of an earlier examination. Rejects with AdapterError, also for an id that
 * no examination can find, because it would never be reported for removal.
 */
export async function readBaseline(file: string): Promise<Baseline> {
  const ids = idsIn(file);
  const { channels: fixture } = await loadFixtures();
  const channels = fixture.channels.map(({ id }) => id);
  for (const id of ids) {
    if (!parseFindingId(id, channels, SITUATIONS)) {
      // A single situation is not a useful suggestion for a misspelled combination.
      const named = channels.filter((each) => id.endsWith(each));
      const near = id.includes('+') ? '' : didYouMean(id, idsOfSingleSituations(named.length > 0 ? named : channels));
      throw new AdapterError(`${file} contains ${JSON.stringify(id)}, which is not the id of any finding${near}`);
    }
  }
  return new Set(ids);
}

function idsOfSingleSituations(channels: readonly string[]): string[] {
  return SITUATIONS.filter((each) => !isDefault(each) || each.kind === 'outcome').flatMap((situation) =>
    INVARIANTS.flatMap(({ id }) => channels.map((channel) => findingIdOf(id, caseOf([situation]), channel))),
  );
}

function idsIn(file: string): string[] {
  let json: unknown;
  try {
    json = readJsonFile(file);
  } catch (error) {
    throw new AdapterError(`${file} ${messageOf(error)}`);
  }
  const ids = Array.isArray(json) ? json : violatedIdsIn(json);
  if (ids?.every((id) => typeof id === 'string')) {
    return ids;
  }
  throw new AdapterError(
    `${file} must be a JSON array of ids such as "I2-notified-twice-mobile-money", or a report written by --json`,
  );
}

function violatedIdsIn(report: unknown): unknown[] | undefined {
  const { verdicts } = (report ?? {}) as { verdicts?: unknown };
  if (!Array.isArray(verdicts)) {
    return undefined;
  }
  return verdicts.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
}

/**
 * The failures of the shop: new violations, and known ones that are handled now. Violations outside the requirements are failures
 * only if those of the next set are required, too; otherwise they are `uncounted`.
 */
export function classifyFailures(verdicts: readonly CaseVerdict[], baseline: Baseline, isNextRequired = false) {
  const newViolations = verdicts.filter(({ id, verdict }) => verdict === 'violated' && !baseline.has(id));
  return {
    violated: newViolations.filter(({ isScored }) => isScored || isNextRequired),
    uncounted: newViolations.filter(({ isScored }) => !isScored && !isNextRequired),
    fixed: verdicts.filter(({ id, verdict }) => verdict.startsWith('handled') && baseline.has(id)).map(({ id }) => id),
  };
}
