import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { type Instant, isInstant, parseInstant } from '../../base/time.ts';
import { jsonOf } from '../body.ts';
import { clockOf } from './lifetimes.ts';
import type { SeenSide, Sink } from './seen.ts';

/** A time that does not say in which zone it is. */
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?$/;
const MINUTE_MS = 60_000;
/** The zones of the world differ by multiples of this, and by no more than 26 hours. */
const STEP_MS = 15 * MINUTE_MS;
const MOST_MS = 26 * 60 * MINUTE_MS;
const NEAR_MS = 1.5 * MINUTE_MS;

/** Whether times without a zone, which one cannot tell by how they are written, are in the same one on both sides. */
export function compareZones(sink: Sink, recorded: RecordedCall, sandbox: RecordedCall): void {
  const others = new Map(sinceCall(jsonOf(sandbox.answer?.body), clockOf(sandbox)));
  for (const [place, was] of sinceCall(jsonOf(recorded.answer?.body), clockOf(recorded))) {
    const is = others.get(place);
    if (is !== undefined && isOtherZone(was - is)) {
      sink.saw({ kind: 'format', place, recorded: sideOf(was), sandbox: sideOf(is) });
    }
  }
}

/** Milliseconds from a call to the local times in what it was answered, as if those were in UTC, by their places. */
function* sinceCall(value: unknown, at: Instant, place = '$'): Generator<[place: string, milliseconds: number]> {
  for (const [name, member] of Object.entries(isMembers(value) ? value : {})) {
    const here = memberPath(place, name);
    const [, date, time] = (typeof member === 'string' && LOCAL.exec(member)) || [];
    const local = `${date}T${time}Z`;
    if (isInstant(local)) {
      yield [here, parseInstant(local) - at];
    } else {
      yield* sinceCall(member, at, here);
    }
  }
}

function isOtherZone(milliseconds: number): boolean {
  const apart = Math.abs(milliseconds);
  const steps = Math.round(apart / STEP_MS);
  return steps > 0 && apart <= MOST_MS && Math.abs(apart - steps * STEP_MS) <= NEAR_MS;
}

function sideOf(milliseconds: number): SeenSide {
  const hours = Math.round(milliseconds / STEP_MS) / 4;
  const when = hours === 0 ? 'of' : `${Math.abs(hours)} h ${hours < 0 ? 'before' : 'after'}`;
  return { is: `local date-time ${when} the call` };
}
