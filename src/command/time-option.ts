import { addDuration, isDuration } from '../base/time.ts';
import { UsageError } from './command.ts';

const SECONDS = /^\d+(?:\.\d+)?$/;
const LONGEST_MS = 86_400_000;

/** The milliseconds of an option that takes real time: a number of seconds, or a duration. Throws UsageError. */
export function millisecondsOf(flag: string, text: string): number {
  const milliseconds = SECONDS.test(text) ? Number(text) * 1000 : isDuration(text) ? addDuration(0, text) : Number.NaN;
  if (!(milliseconds <= LONGEST_MS)) {
    throw new UsageError(
      `${flag} takes a number of seconds or a duration such as 90s or 5m, at most a day, not ${JSON.stringify(text)}`,
    );
  }
  return milliseconds;
}
