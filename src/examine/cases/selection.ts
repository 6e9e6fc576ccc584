import { didYouMean } from '../../base/text/nearest.ts';
import { RACE } from '../race/races.ts';
import type { Scope } from '../scope.ts';
import { AdapterError } from '../shop/adapter.ts';
import type { Situation } from '../situations/situation.ts';
import { findingIdOf } from '../verdicts/case-verdicts.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import { INVARIANTS } from '../verdicts/invariants.ts';
import { invariantsOf } from '../verdicts/verdicts.ts';
import { type Case, caseIdOf, caseOf, situationsOf } from './case.ts';

/** One invariant in one case on one channel, as an earlier examination found it. */
export interface NamedFinding {
  invariant: InvariantId;
  testCase: Case;
  channel: string;
}

export interface Selection {
  channels: readonly string[];
  /** Whether the user named channels, also within findings, so that each of them is examined in full. */
  areChannelsNamed: boolean;
  /** Ids of invariants and situations; all are selected if this and the findings are empty. */
  namedIds: readonly string[];
  findings: readonly NamedFinding[];
}

/** Parses the names of channels, invariants, situations and findings, and `race` for all races. Throws AdapterError for anything else. */
export function parseNames(
  names: readonly string[],
  channels: readonly string[],
  { invariants, situations }: Pick<Scope, 'invariants' | 'situations'>,
): Selection {
  const raceIds = situations.filter(({ race }) => race !== undefined).map(({ id }) => id);
  const ids: string[] = [...invariants, ...situations.map(({ id }) => id), ...(raceIds.length > 0 ? [RACE] : [])];
  const findings: NamedFinding[] = [];
  for (const name of names.filter((each) => !channels.includes(each) && !ids.includes(each))) {
    const found = parseFindingId(name, channels, situations);
    if (!found) {
      const all = [...ids, ...channels];
      const near = didYouMean(name, all);
      throw new AdapterError(
        `there is no invariant, situation, channel or finding ${name}${near === '' ? '.' : near} Known names: ${all.join(', ')}`,
      );
    }
    findings.push(found);
  }
  const selected = channels.filter((id) => names.includes(id) || findings.some(({ channel }) => channel === id));
  return {
    channels: selected.length === 0 ? channels : selected,
    areChannelsNamed: selected.length > 0,
    namedIds: names.filter((name) => ids.includes(name)).flatMap((name) => (name === RACE ? raceIds : [name])),
    findings,
  };
}

/** Parses the id of a finding, such as I2-notified-twice-mobile-money; undefined for anything else. */
export function parseFindingId(
  id: string,
  channels: readonly string[],
  all: readonly Situation[],
): NamedFinding | undefined {
  const channel = channels.find((each) => id.endsWith(`-${each}`));
  const invariant = INVARIANTS.find((each) => id.startsWith(`${each.id}-`))?.id;
  if (channel === undefined || invariant === undefined) {
    return undefined;
  }
  const names = id.slice(invariant.length + 1, -channel.length - 1).split('+');
  const situations = names.map((name) => all.find((each) => each.id === name));
  const testCase = caseOf(situations.filter((each): each is Situation => each !== undefined));
  return findingIdOf(invariant, testCase, channel) === id ? { invariant, testCase, channel } : undefined;
}

export function isEverythingSelected({ namedIds, findings }: Selection): boolean {
  return namedIds.length === 0 && findings.length === 0;
}

/** Whether the case can show anything that is selected. */
export function isCaseSelected(testCase: Case, selection: Selection): boolean {
  return (
    isEverythingSelected(selection) ||
    invariantsOf(testCase).some((invariant) => isSelected(invariant, testCase, selection))
  );
}

export function isSelected(invariant: InvariantId, testCase: Case, selection: Selection): boolean {
  const { namedIds, findings } = selection;
  return (
    isEverythingSelected(selection) ||
    namedIds.includes(invariant) ||
    situationsOf(testCase).some(({ id }) => namedIds.includes(id)) ||
    findings.some((found) => found.invariant === invariant && caseIdOf(found.testCase) === caseIdOf(testCase))
  );
}
