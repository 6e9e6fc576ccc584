import { addDuration, isDuration } from '../base/time.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time that a user wrote, such as 30s, 5m, PT5M or 90 (seconds); undefined for anything else. */
export function millisecondsIn(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (number !== undefined) {
    return Number(number) * (UNITS[unit] ?? 1);
  }
  return isDuration(text) ? addDuration(0, text) : undefined;
}
