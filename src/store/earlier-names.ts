import { isNameIn, membersOf } from '../base/members.ts';
import type { Change } from './store.ts';

/** What versions that wrote format 5 of the state file called members of payments and of scenarios' rules. */
const TODAYS_NAMES = { afterwards: 'adjustments', plannedAfterwards: 'plannedAdjustments' };

/** A record that an earlier version may have kept, or exported, with its members' names of today. */
export function withTodaysNames<Kept>(collection: string, record: Kept): Kept {
  switch (collection) {
    case 'payments':
      return renamed(record);
    case 'scenarios': {
      const { scenario } = membersOf(record);
      const { rules } = membersOf(scenario);
      return Array.isArray(rules)
        ? { ...record, scenario: { ...membersOf(scenario), rules: rules.map(renamed) } }
        : record;
    }
    default:
      return record;
  }
}

/** The same for what a commit changed. */
export function changesWithTodaysNames(changes: readonly Change[]): Change[] {
  return changes.map((change) =>
    change.record ? { ...change, record: withTodaysNames(change.collection, change.record) } : change,
  );
}

/** The same for all that a session keeps. */
export function snapshotWithTodaysNames<Kept extends object>(snapshot: Kept): Kept {
  const members = Object.entries(snapshot).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((record) => withTodaysNames(name, record)) : value,
  ]);
  return Object.fromEntries(members) as Kept;
}

function renamed<Kept>(record: Kept): Kept {
  const members = Object.entries(membersOf(record));
  return members.some(([name]) => isNameIn(TODAYS_NAMES, name))
    ? (Object.fromEntries(
        members.map(([name, value]) => [isNameIn(TODAYS_NAMES, name) ? TODAYS_NAMES[name] : name, value]),
      ) as Kept)
    : record;
}
