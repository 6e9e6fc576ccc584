import type { Steps } from '../../base/steps.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionImage } from '../sessions/session-image.ts';

/** The place before the first step. */
export const START = 'start';
const EVENT = /^event-(\d+)$/;

/**
 * Number of entries up to a step: the end of a call (request-17), an event (event-40), or the last work of a job. Undefined
 * if the history has no such step.
 */
export function countUntil(entries: readonly HistoryEntry[], step: string): number | undefined {
  if (step === START) {
    return 0;
  }
  const event = EVENT.exec(step)?.[1];
  const last = event === undefined ? lastOf(entries, step) : withEvent(entries, Number(event));
  return last < 0 ? undefined : last + 1;
}

function withEvent(entries: readonly HistoryEntry[], event: number): number {
  return entries.findIndex((entry) => entry.kind === 'commit' && entry.events.some(({ id }) => id === event));
}

function lastOf(entries: readonly HistoryEntry[], step: string): number {
  const answer = entries.findIndex((entry) => entry.kind === 'answer' && entry.of === step);
  const job = entries.findLastIndex((entry) => entry.kind === 'commit' && entry.cause === step);
  return answer === -1 ? job : answer;
}

/** The session's data after these entries; changes `base`. */
export function* stateAt(base: SessionImage, entries: readonly HistoryEntry[]): Steps<SessionImage> {
  for (const entry of entries) {
    base.apply(entry);
    yield;
  }
  return base;
}
