import { addDays, formatUtc, type Instant, LAST_INSTANT, offsetMilliseconds, startOfDay } from './time.ts';

export const MINUTES_OF_DAY = 24 * 60;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether a text is an offset from UTC or a time zone that this machine knows. */
export function isZone(zone: string): boolean {
  try {
    return isOffset(zone) || formatterOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** The date (yyyy-MM-dd) in a zone at an instant, never later than that of LAST_INSTANT. */
export function dateIn(instant: Instant, zone: string): string {
  return formatUtc(Math.min(wallClock(instant, zone), LAST_INSTANT)).slice(0, 10);
}

/**
 * The instant at which clocks of a zone show a time of day, given in minutes since midnight, up to 24:00. When the clocks change, the
 * first of two equal times; for a skipped time, the instant that many minutes after midnight. Never later than LAST_INSTANT.
 */
export function instantIn(date: string, minutes: number, zone: string): Instant {
  const wall = startOfDay(date, '+00:00') + minutes * 60_000;
  const candidates = [addDays(wall, -1), addDays(wall, 1)].map((near) => wall - (wallClock(near, zone) - near));
  const exact = candidates.filter((candidate) => wallClock(candidate, zone) === wall);
  return Math.min(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates), LAST_INSTANT);
}

export function dateAfter(date: string, days: number): string {
  return formatUtc(Math.min(addDays(startOfDay(date, '+00:00'), days), LAST_INSTANT)).slice(0, 10);
}

/** "17:30" → 1050. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'] as const;

/** The day of the week of a yyyy-MM-dd: 1970 began on a Thursday. */
export function weekdayOf(date: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(startOfDay(date, '+00:00') / addDays(0, 1)) % 7] ?? 'Thursday';
}

/** The local time of a zone, as the instant at which UTC clocks show the same. */
function wallClock(instant: Instant, zone: string): Instant {
  if (isOffset(zone)) {
    return instant + offsetMilliseconds(zone);
  }
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const day = startOfDay(`${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`, '+00:00');
  const seconds = (Number(parts['hour']) * 60 + Number(parts['minute'])) * 60 + Number(parts['second']);
  return day + seconds * 1000 + (((instant % 1000) + 1000) % 1000);
}

function isOffset(zone: string): boolean {
  return /^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(zone);
}

/** Throws for an unknown zone. Cached, because creating a format takes longer than everything else here. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached) {
    return cached;
  }
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, ...numbers, ...time });
  formatters.set(timeZone, formatter);
  return formatter;
}
