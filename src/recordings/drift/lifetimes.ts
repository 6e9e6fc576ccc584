import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { formatOf } from './formats.ts';

/** A member that says until when something counts. */
const NAME = /expir/i;

/** Milliseconds after `at` until which things count that JSON tells of, by their places. Those in lists are records of before. */
export function lifetimesIn(value: unknown, at: Instant, place = '$'): [place: string, milliseconds: number][] {
  return Object.entries(isMembers(value) ? value : {}).flatMap(([name, member]) => {
    const here = memberPath(place, name);
    const isTime = NAME.test(name) && typeof member === 'string' && formatOf(member)?.startsWith('instant');
    return isTime ? [[here, Math.max(0, parseInstant(member) - at)] as const] : lifetimesIn(member, at, here);
  }) as [string, number][];
}
