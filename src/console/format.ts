import { isCaught } from '../base/catch.ts';

/** UTC, or the time zone of the browser. */
export type Zone = 'utc' | 'own';

const MINUTE_MS = 60_000;

/** Minutes east of UTC; they depend on the instant because of summer time. */
function offsetAt(instant: number, zone: Zone): number {
  return zone === 'utc' ? 0 : -new Date(instant).getTimezoneOffset();
}

/** UTC, or UTC+02:00. */
export function zoneName(instant: number, zone: Zone): string {
  const offset = offsetAt(instant, zone);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return offset === 0 ? 'UTC' : `UTC${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

export function dayAndTime(instant: number, zone: Zone): { day: string; time: string } {
  const text = new Date(instant + offsetAt(instant, zone) * MINUTE_MS).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 19) };
}

/** The time of an instant, preceded by its date unless that is the date of `now`. */
export function momentParts(instant: string, now: number, zone: Zone): string[] {
  const { day, time } = dayAndTime(Date.parse(instant), zone);
  return day === dayAndTime(now, zone).day ? [time] : [day, time];
}

/** An instant as the value of an input of type `datetime-local`. */
export function toFieldValue(instant: number, zone: Zone): string {
  const { day, time } = dayAndTime(instant, zone);
  return `${day}T${time}`;
}

/** The value of such an input, which omits seconds that are zero, as an instant in UTC. */
export function fromFieldValue(field: string, zone: Zone): string {
  const asUtc = Date.parse(`${field.length === 16 ? `${field}:00` : field}Z`);
  // A browser reads a date and time without an offset in its own zone.
  return new Date(zone === 'utc' ? asUtc : new Date(field).getTime()).toISOString();
}

/** A text that may be written from right to left, isolated from the plain text around it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

export function endpointName(endpoint: { url: string }): string {
  return isCaught(endpoint) ? 'Caught here' : endpoint.url;
}
