import { readFileSync } from 'node:fs';
import { messageOf } from '../base/errors.ts';
import { AdapterError } from './adapter.ts';
import type { Examined } from './examination.ts';

/** Failures that are known: what is violated and in it fails no build; what is in it and handled by now does, so that it is taken out. */
export type Baseline = ReadonlySet<string>;

/** Reads ids of findings from a JSON list, or from the report that an earlier examination wrote. Throws AdapterError. */
export function readBaseline(file: string): Baseline {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const ids = Array.isArray(json) ? json : violatedIn(json);
    if (ids.every((id) => typeof id === 'string')) {
      return new Set(ids);
    }
  } catch (error) {
    throw new AdapterError(`${file} cannot be read: ${messageOf(error)}`);
  }
  throw new AdapterError(
    `${file} must be a JSON list of ids such as "I2-notified-twice-mobile-money", or a report written by --json`,
  );
}

function violatedIn(report: unknown): unknown[] {
  const { verdicts } = (report ?? {}) as { verdicts?: unknown };
  if (!Array.isArray(verdicts)) {
    return [undefined];
  }
  return verdicts.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
}

/** What counts against the shop: what is violated, required and not known; and what is known and handled by now. */
export function failuresOf({ verdicts }: Pick<Examined, 'verdicts'>, baseline: Baseline) {
  return {
    violated: verdicts.filter(({ id, verdict, isScored }) => verdict === 'violated' && isScored && !baseline.has(id)),
    mended: verdicts.filter(({ id, verdict }) => verdict.startsWith('handled') && baseline.has(id)).map(({ id }) => id),
  };
}
