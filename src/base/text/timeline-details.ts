import type { TimelineEntry } from '../schema/control.ts';

/** What an entry says beside its title and cause, on one line. */
export function detailsOf({ words, milliseconds, attempt }: TimelineEntry): string {
  const parts = [
    words,
    milliseconds === undefined ? '' : `in ${milliseconds} ms`,
    attempt === undefined ? '' : `attempt ${attempt}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
