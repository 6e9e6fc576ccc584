import { isDeepStrictEqual } from 'node:util';
import type { FetchedState } from './public-session.ts';

interface Kept {
  id: string;
  [member: string]: unknown;
}

/** Lists that a record only ever makes longer. */
const GROWING = ['history', 'attempts'];

/**
 * Describes the data that a session has lost. Due jobs continue after a start, so records may have changed and there may be
 * more of them, but no record and no step of its history may be missing. If nothing was pending, all must be the same.
 */
export function lostBetween(
  before: FetchedState | undefined,
  after: FetchedState | undefined,
  isSettled: boolean,
): string[] {
  if (!before) {
    return after && isSettled ? ['it is there again, and was not'] : [];
  }
  if (!after) {
    // One that nobody has kept anything in is made with the call that looks into it.
    return before.state['generation'] === 0 && Object.keys(before).length === 1 ? [] : ['it is gone'];
  }
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [had, has] = [before[name], after[name]];
    if (isSettled) {
      return isDeepStrictEqual(had, has) ? [] : [`${name} was ${JSON.stringify(had)}, and is ${JSON.stringify(has)}`];
    }
    return name === 'state' ? [] : lostRecords(name, recordsOf(had), recordsOf(has));
  });
}

function lostRecords(collection: string, before: readonly Kept[], after: readonly Kept[]): string[] {
  const present = new Map(after.map((record) => [record.id, record]));
  return before.flatMap((record) => {
    const stored = present.get(record.id);
    if (!stored) {
      return [`${collection} ${record.id} is gone`];
    }
    return GROWING.flatMap((list) => {
      const had = listOf(record[list]);
      const has = listOf(stored[list]).slice(0, had.length);
      return isDeepStrictEqual(had, has)
        ? []
        : [`${list} of ${collection} ${record.id} was ${JSON.stringify(had)}, and begins with ${JSON.stringify(has)}`];
    });
  });
}

function recordsOf(value: unknown): readonly Kept[] {
  return listOf(value) as readonly Kept[];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
