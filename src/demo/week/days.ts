import { addDays, formatWithOffset, type Instant, startOfDay } from '../../base/time.ts';

const MINUTE_MS = 60_000;

/** The index of today, counted from the first day of the week. */
export const TODAY = 7;

/** The day of an instant and the seven days before it, by local time. */
export class Days {
  readonly end: Instant;
  readonly #offset: string;
  readonly #first: Instant;

  constructor(end: Instant, offset: string) {
    this.end = end;
    this.#offset = offset;
    this.#first = addDays(startOfDay(formatWithOffset(end, offset).slice(0, 10), offset), -TODAY);
  }

  /** The instant N minutes after the beginning of a day; fractions are allowed. */
  at(day: number, minutes: number): Instant {
    return addDays(this.#first, day) + Math.round(minutes * 60) * 1000;
  }

  ago(minutes: number): Instant {
    return this.end - Math.round(minutes * MINUTE_MS);
  }

  /** yyyy-MM-dd */
  date(day: number): string {
    return formatWithOffset(this.at(day, 0), this.#offset).slice(0, 10);
  }
}

/** The minutes since midnight at a time such as "13:05". */
export function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
