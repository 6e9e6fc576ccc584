import { namesIn } from '../../../base/members.ts';
import { MAX_AMOUNT, type MinorUnits, toDecimalText } from '../../../base/money.ts';
import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Fees } from '../../../base/schema/generated/records.ts';
import type { Steps } from '../../../base/steps.ts';
import type { Instant } from '../../../base/time.ts';
import type { CollectionName, RecordLists, Records } from '../../store/store.ts';

/** What is said of a record, by its collection. */
export type ByCollection<Result> = { [Name in CollectionName]?: (record: Records[Name]) => Result };

/** All that is said of records, and the place where each stands. */
export function* mapRecords<Result>(
  lists: RecordLists,
  table: ByCollection<readonly Result[]>,
): Steps<{ place: string; said: Result }[]> {
  const all: { place: string; said: Result }[] = [];
  function* sayOf<Name extends CollectionName>(name: Name): Steps<void> {
    const [records = [], say]: [RecordLists[Name], ByCollection<readonly Result[]>[Name]] = [lists[name], table[name]];
    for (const [index, record] of say ? records.entries() : []) {
      all.push(...(say?.(record) ?? []).map((said) => ({ place: `$.${name}[${index}]`, said })));
      yield;
    }
  }
  for (const name of namesIn(table)) {
    yield* sayOf(name);
  }
  return all;
}

/** An amount that no payment, payout or fee has. */
export function amountBroken(path: string, amount: MinorUnits, least: MinorUnits): Finding[] {
  const expected = `minor units from ${least} to ${MAX_AMOUNT} (${toDecimalText(MAX_AMOUNT)})`;
  return amount >= least && amount <= MAX_AMOUNT ? [] : [errorFinding(path, expected, String(amount))];
}

export function feesBroken(fees: Fees): Finding[] {
  return Object.entries(fees).flatMap(([kind, fee]) => amountBroken(`.fees.${kind}`, fee, 0));
}

/** Steps that do not begin where the one before them ended, or that nothing makes. */
export function historyBroken<State extends string | null>(
  history: readonly { from: State; to: State }[],
  start: NoInfer<State>,
  isStep: (from: State, to: State) => boolean = () => true,
  place = '.history',
): Finding[] {
  return history.flatMap(({ from, to }, index) => {
    const before = index === 0 ? start : history[index - 1]?.to;
    if (from !== before) {
      return [errorFinding(`${place}[${index}].from`, `${before}, where it was`, String(from))];
    }
    return isStep(from, to) ? [] : [errorFinding(`${place}[${index}].to`, `a state that follows ${from}`, String(to))];
  });
}

/** A time at which it is looked at that does not follow from the rest of the record. */
export function dueBroken(dueAt: Instant | null, expected: Instant | null): Finding[] {
  const words = `${expected}, as follows from the rest of it`;
  return dueAt === expected ? [] : [errorFinding('.dueAt', words, String(dueAt))];
}
