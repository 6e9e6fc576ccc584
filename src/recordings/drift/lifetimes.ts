import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { type Instant, parseInstant } from '../../base/time.ts';

/** A member that says until when something counts. */
const NAME = /expir/i;
const INSTANT = /^\d{4}-\d\d-\d\dT/;

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
