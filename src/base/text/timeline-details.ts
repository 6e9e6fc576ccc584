import type { TimelineEntry } from '../schema/generated/control.ts';

/** The details of an entry besides its title and cause, on one line. */
export function detailsOf({ words, milliseconds, attempt }: TimelineEntry): string {
  const time = milliseconds === undefined ? '' : `in ${milliseconds} ms`;
  return [words, time, attempt === undefined ? '' : `attempt ${attempt}`].filter((part) => part !== '').join(', ');
}
