import { isDeepStrictEqual } from 'node:util';
import type { FetchedState } from './public-session.ts';

interface StoredRecord {
  id: string;
  [member: string]: unknown;
}

/** Lists of a record that only become longer. */
const GROWING_LISTS = ['history', 'attempts'];

/**
 * Describes the data that a session has lost. Due jobs continue after a start, so records may have changed and there may be
 * more of them, but no record and no step of its history may be missing. If nothing was pending, all must be the same.
 */
export function lostBetween(
  before: FetchedState | undefined,
  after: FetchedState | undefined,
  isIdle: boolean,
): string[] {
  if (!before) {
    return after && isIdle ? ['a deleted session exists again'] : [];
  }
  if (!after) {
    // A session without data is not stored; the call for its state created it.
    return before.state['generation'] === 0 && Object.keys(before).length === 1 ? [] : ['the session is missing'];
  }
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [previous, present] = [before[name], after[name]];
    if (isIdle) {
      return isDeepStrictEqual(previous, present)
        ? []
        : [`${name} was ${JSON.stringify(previous)}, and is ${JSON.stringify(present)}`];
    }
    return name === 'state' ? [] : lostRecords(name, recordsOf(previous), recordsOf(present));
  });
}

function lostRecords(collection: string, before: readonly StoredRecord[], after: readonly StoredRecord[]): string[] {
  const afterById = new Map(after.map((record) => [record.id, record]));
  return before.flatMap((record) => {
    const stored = afterById.get(record.id);
    if (!stored) {
      return [`${collection} ${record.id} is missing`];
    }
    return GROWING_LISTS.flatMap((list) => {
      const previous = listOf(record[list]);
      const beginning = listOf(stored[list]).slice(0, previous.length);
      return isDeepStrictEqual(previous, beginning)
        ? []
        : [
            `${list} of ${collection} ${record.id} was ${JSON.stringify(previous)}, and begins with ${JSON.stringify(beginning)}`,
          ];
    });
  });
}

function recordsOf(value: unknown): readonly StoredRecord[] {
  return listOf(value) as readonly StoredRecord[];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
