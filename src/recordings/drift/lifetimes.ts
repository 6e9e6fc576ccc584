import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { type Instant, parseDateInWords, parseInstant } from '../../base/time.ts';
import { headerOf } from '../body.ts';

/** A member that says until when something counts. */
const NAME = /expir/i;
const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Two clocks that are set agree within this. One that is a day away or more is not what the service goes by, or it stands still. */
const FAR_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** When a call came, by the clock of the service that answered, which may be ahead or behind. */
export function clockOf({ at, answer }: RecordedCall): Instant {
  const came = parseInstant(at);
  const told = parseDateInWords(headerOf(answer?.headers ?? [], 'date') ?? '');
  const apart = Math.abs(told - came);
  return apart > FAR_MS && apart < DAY_MS ? told : came;
}

/** Milliseconds from `at` to the time that a value says; undefined where it says none. */
export function lifetimeOf(value: unknown, at: Instant): number | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value)) {
    return undefined;
  }
  try {
    return parseInstant(value) - at;
  } catch {
    return undefined;
  }
}

/** For how long after `at` things count that JSON tells of, by their places. Those in lists are records of before. */
export function lifetimesIn(value: unknown, at: Instant, place = '$'): [place: string, milliseconds: number][] {
  return Object.entries(isMembers(value) ? value : {}).flatMap(([name, member]) => {
    const here = memberPath(place, name);
    const lifetime = NAME.test(name) ? lifetimeOf(member, at) : undefined;
    return lifetime === undefined ? lifetimesIn(member, at, here) : [[here, Math.max(0, lifetime)] as [string, number]];
  });
}
