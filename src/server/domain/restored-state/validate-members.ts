import { namesIn } from '../../../base/members.ts';
import { MAX_AMOUNT, type MinorUnits, toDecimalText } from '../../../base/money.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Fees } from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import type { Instant } from '../../../base/time.ts';
import type { CollectionName, RecordLists, Records } from '../../store/store.ts';

export type ByCollection<Result> = { [Name in CollectionName]?: (record: Records[Name]) => Result };

/** Applies the functions to the records of their collections, and returns all results with the paths of the records. */
export function* mapRecords<Result>(
  lists: RecordLists,
  table: ByCollection<readonly Result[]>,
): Steps<{ path: string; result: Result }[]> {
  const results: { path: string; result: Result }[] = [];
  function* mapAll<Name extends CollectionName>(name: Name): Steps<void> {
    const map: ByCollection<readonly Result[]>[Name] = table[name];
    for (const [index, record] of map ? (lists[name] ?? []).entries() : []) {
      results.push(...(map?.(record) ?? []).map((result) => ({ path: `$.${name}[${index}]`, result })));
      yield;
    }
  }
  for (const name of namesIn(table)) {
    yield* mapAll(name);
  }
  return results;
}

export function validateAmount(path: string, amount: MinorUnits, minimum: MinorUnits): Finding[] {
  const expected = `minor units from ${minimum} to ${MAX_AMOUNT} (${toDecimalText(MAX_AMOUNT)})`;
  return amount >= minimum && amount <= MAX_AMOUNT ? [] : [errorFinding(path, expected, String(amount))];
}

export function validateFees(fees: Fees): Finding[] {
  return Object.entries(fees).flatMap(([kind, fee]) => validateAmount(`.fees.${kind}`, fee, 0));
}

/** Checks that each step of a history starts in the state in which the previous one ended, and that `isStep` (default: any) allows it. */
export function validateHistory<State extends string | null>(
  history: readonly { from: State; to: State }[],
  start: NoInfer<State>,
  isStep: (from: State, to: State) => boolean = () => true,
  path = '.history',
): Finding[] {
  return history.flatMap(({ from, to }, index) => {
    const previousState = index === 0 ? start : history[index - 1]?.to;
    if (from !== previousState) {
      return [errorFinding(`${path}[${index}].from`, `${previousState}, the previous state`, String(from))];
    }
    return isStep(from, to) ? [] : [errorFinding(`${path}[${index}].to`, `a state that follows ${from}`, String(to))];
  });
}

export function validateDueAt(dueAt: Instant | null, expected: Instant | null): Finding[] {
  const expectedText = `${expected}, by the rest of the record`;
  return dueAt === expected ? [] : [errorFinding('.dueAt', expectedText, String(dueAt))];
}
