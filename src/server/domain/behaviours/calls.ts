import { addDuration } from '../../../base/time.ts';
import type { Behaviour } from '../../config/fixtures.ts';

type Calls = NonNullable<Behaviour['calls']>;

/** What a behaviour lets become of one call. */
export interface CallFate {
  fault: { at: 'before' | 'after'; kind: 'timeout' } | { at: 'after'; kind: 'latency'; latency: string } | null;
  /** The response code of its answer; undefined where that stays. */
  code: string | undefined;
}

/** Draws what becomes of a call, always as many numbers, so that one call's fate does not change the next one's. */
export function drawFate(
  { timeouts = 0, latency = [], unknownCodes }: Calls,
  channel: string | undefined,
  chance: () => number,
): CallFate {
  const [ofTimeout, ofPlace, ofLatency, ofCode] = [chance(), chance(), chance(), chance()];
  const code = unknownCodes && ofCode < unknownCodes.share ? unknownCodes.code : undefined;
  if (ofTimeout < timeouts) {
    return { fault: { at: ofPlace < 0.5 ? 'before' : 'after', kind: 'timeout' }, code };
  }
  const fitting = latency.find(({ channels }) => !channels || (channel !== undefined && channels.includes(channel)));
  if (!fitting) {
    return { fault: null, code };
  }
  const milliseconds = Math.round(latencyAt(fitting.percentiles, 100 * ofLatency));
  return { fault: { at: 'after', kind: 'latency', latency: `PT${milliseconds / 1000}S` }, code };
}

/** Milliseconds at a percentage: it grows evenly from 0 to the first percentile, and from one to the next, and not beyond the last. */
export function latencyAt(percentiles: Readonly<Record<string, string>>, percentage: number): number {
  let before = { percentage: 0, milliseconds: 0 };
  for (const point of pointsOf(percentiles)) {
    if (percentage <= point.percentage) {
      const share = (percentage - before.percentage) / (point.percentage - before.percentage || 1);
      return before.milliseconds + share * (point.milliseconds - before.milliseconds);
    }
    before = point;
  }
  return before.milliseconds;
}

function pointsOf(percentiles: Readonly<Record<string, string>>) {
  const points = Object.entries(percentiles).map(([percentage, duration]) => ({
    percentage: Number(percentage),
    milliseconds: addDuration(0, duration),
  }));
  return points.sort((one, other) => one.percentage - other.percentage);
}
