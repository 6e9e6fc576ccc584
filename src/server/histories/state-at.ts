import type { Steps } from '../../base/steps.ts';
import type { RecordedHistory } from '../sessions/history.ts';
import { type HistoryEntry, type Moment, momentAfter, type RecordedCommit } from '../sessions/history-entry.ts';
import { changesOf } from '../sessions/snapshot.ts';
import type { AnyRecord, SessionSnapshot, UndoChange } from '../store/store.ts';

/** The step id of the beginning of a history. */
export const START = 'start';
const EVENT = /^event-(\d+)$/;

/**
 * Number of entries up to the answer of a call (request-17), an event (event-40), or the last commit of a job or of a call that
 * was not answered. Undefined if the history has no such step.
 */
export function countUntil(entries: readonly HistoryEntry[], stepId: string): number | undefined {
  if (stepId === START) {
    return 0;
  }
  const event = EVENT.exec(stepId)?.[1];
  const index = event === undefined ? indexOfEnd(entries, stepId) : indexOfEvent(entries, Number(event));
  return index < 0 ? undefined : index + 1;
}

function indexOfEvent(entries: readonly HistoryEntry[], event: number): number {
  return entries.findIndex((entry) => entry.kind === 'commit' && entry.events.some(({ id }) => id === event));
}

function indexOfEnd(entries: readonly HistoryEntry[], stepId: string): number {
  const answer = entries.findIndex((entry) => entry.kind === 'answer' && entry.of === stepId);
  const lastCommit = entries.findLastIndex((entry) => entry.kind === 'commit' && entry.cause === stepId);
  return answer === -1 ? lastCommit : answer;
}

/** A session's data after the first `count` entries. `last` is the data after all of them. */
export function* stateAt(
  { beginning, entries }: RecordedHistory,
  last: SessionSnapshot,
  count: number,
): Steps<Moment & { snapshot: SessionSnapshot }> {
  const lists = new Map<string, Map<string, AnyRecord>>();
  const restore = ({ collection, id, record, index }: UndoChange): void => {
    const list = lists.get(collection) ?? new Map<string, AnyRecord>();
    lists.set(collection, index === null ? list.set(id, record) : new Map([...list].toSpliced(index, 0, [id, record])));
  };
  const undoCommit = ({ changes, undo }: RecordedCommit): void => {
    const replacedKeys = new Set(undo.map(({ collection, id }) => `${collection} ${id}`));
    for (const { collection, id } of changes) {
      if (!replacedKeys.has(`${collection} ${id}`)) {
        lists.get(collection)?.delete(id);
      }
    }
    undo.forEach(restore);
  };
  for (const { collection, id, record } of changesOf(last)) {
    if (record) {
      restore({ collection, id, record, index: null });
    }
  }
  yield;
  for (const entry of entries.slice(count).reverse()) {
    if (entry.kind === 'commit') {
      undoCommit(entry);
    }
    yield;
  }
  const moment = momentAfter(beginning, entries.slice(0, count));
  const records = [...lists].filter(([, list]) => list.size > 0).map(([name, list]) => [name, [...list.values()]]);
  return { ...moment, snapshot: { state: moment.state, ...Object.fromEntries(records) } };
}
