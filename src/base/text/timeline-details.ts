import type { TimelineEntry } from '../schema/generated/control.ts';

/** The details of an entry besides its title and cause, on one line. */
export function detailsOf({ words, milliseconds, attempt }: TimelineEntry): string {
  const parts = [
    words,
    milliseconds === undefined ? '' : `in ${milliseconds} ms`,
    attempt === undefined ? '' : `attempt ${attempt}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
