import { parseRealMilliseconds } from '../base/time.ts';
import { UsageError } from './command.ts';

const MAX_MS = 86_400_000;

/** Parses an option that is a duration of real time. Throws UsageError. */
export function parseMilliseconds(flag: string, text: string): number {
  const milliseconds = parseRealMilliseconds(text);
  if (milliseconds === undefined || milliseconds > MAX_MS) {
    throw new UsageError(
      `${flag} takes a number of seconds or a duration such as 90s or 5m, at most a day, not ${JSON.stringify(text)}`,
    );
  }
  return milliseconds;
}
