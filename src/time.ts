import { type Duration, parse } from 'iso8601-duration';

/** Milliseconds since 1970-01-01T00:00Z. What "now" is, only a session's clock knows. */
export type Instant = number;

const DAY = 86_400_000;

/** "+02:00" → minutes east of UTC. */
function offsetMinutes(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}

/** ISO 8601 with milliseconds and offset, e.g. 2024-10-11T11:01:20.000+02:00. Source: INTERFACE.md, "timestamp with offset". */
export function formatWithOffset(instant: Instant, offset: string): string {
  const local = new Date(instant + offsetMinutes(offset) * 60_000);
  return `${local.toISOString().slice(0, -1)}${offset}`;
}

/** yyyy-MM-dd HH:mm:ss.SSS in local time. Source: INTERFACE.md, paymentProcessedDateTime. */
export function formatProcessed(instant: Instant, offset: string): string {
  const local = new Date(instant + offsetMinutes(offset) * 60_000);
  return local.toISOString().slice(0, -1).replace('T', ' ');
}

/** ISO 8601 in UTC with a Z, for the control API. */
export function formatUtc(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** For libraries that want the language's own type. */
export function toDate(instant: Instant): Date {
  return new Date(instant);
}

/** An ISO 8601 timestamp, with offset or Z; NaN when it is none. */
export function parseInstant(text: string): Instant {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN;
}

/** The first millisecond of a yyyy-MM-dd day in local time. */
export function startOfDay(date: string, offset: string): Instant {
  return new Date(`${date}T00:00:00.000Z`).getTime() - offsetMinutes(offset) * 60_000;
}

/** The first millisecond after a yyyy-MM-dd day in local time. */
export function endOfDay(date: string, offset: string): Instant {
  return startOfDay(date, offset) + DAY;
}

/** The instant a number of days later. */
export function addDays(instant: Instant, days: number): Instant {
  return instant + days * DAY;
}

/** Whether a text is an ISO 8601 duration, e.g. PT15M, P1D, P1M. */
export function isDuration(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds an ISO 8601 duration to an instant; months and years by the (UTC) calendar. Throws on a text that is none. */
export function addDuration(instant: Instant, duration: string): Instant {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parsed(duration);
  const fixed = (weeks * 7 + days) * DAY + hours * 3_600_000 + minutes * 60_000 + Math.round(seconds * 1000);
  return years || months ? addMonths(instant, years * 12 + months) + fixed : instant + fixed;
}

const durations = new Map<string, Duration>();

/** Fixtures name the same few durations again and again. */
function parsed(text: string): Duration {
  let duration = durations.get(text);
  if (!duration) {
    duration = parse(text);
    if (durations.size < 1000) {
      durations.set(text, duration);
    }
  }
  return duration;
}

/** The same day and time some months later, or that month's last day where it is shorter. */
function addMonths(instant: Instant, months: number): Instant {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
