import { printable } from '../base/text/printable.ts';
import { formatUtc } from '../base/time.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';

/** A step of a history, as people name it. */
export interface Step {
  /** Counted from 1. */
  number: number;
  /** The call's id, or the job's kind and record. */
  of: string;
  line: string;
}

/** What can be seen from outside: what came, what was answered, what was sent. */
export function stepsOf(entries: readonly HistoryEntry[]): Step[] {
  return entries.flatMap((entry, index) => {
    const words = wordsOf(entry);
    const of = entry.kind === 'call' ? entry.id : entry.of;
    return words === undefined ? [] : [{ number: index + 1, of, line: `${formatUtc(entry.at)}  ${words}` }];
  });
}

function wordsOf(entry: HistoryEntry): string | undefined {
  switch (entry.kind) {
    case 'call':
      return `${entry.id}  ${printable(`${entry.method} ${entry.target}`)}`;
    case 'answer':
      return `${entry.of}  answered ${entry.answer?.status ?? 'with nothing'}`;
    case 'sent':
      return `${entry.of}  ${printable(`${entry.message.method} ${entry.message.url}`)}`;
    default:
      return undefined;
  }
}

/** The place before the first step. */
export const START = 'start';
const EVENT = /^event-(\d+)$/;

/**
 * The entries up to a place: the end of a call (request-17), an event (event-40), or a number of entries. Undefined where the history
 * has no such place.
 */
export function entriesUntil(entries: readonly HistoryEntry[], place: string): readonly HistoryEntry[] | undefined {
  if (place === START) {
    return [];
  }
  const event = EVENT.exec(place)?.[1];
  const last =
    event === undefined
      ? lastOf(entries, place)
      : entries.findIndex((entry) => 'lastEvent' in entry && entry.lastEvent >= Number(event));
  return last < 0 || last >= entries.length ? undefined : entries.slice(0, last + 1);
}

function lastOf(entries: readonly HistoryEntry[], place: string): number {
  if (/^\d+$/.test(place)) {
    return Number(place) - 1;
  }
  const answer = entries.findIndex((entry) => entry.kind === 'answer' && entry.of === place);
  const job = entries.findLastIndex((entry) => entry.kind !== 'call' && entry.of === place);
  return answer === -1 ? job : answer;
}
