import { type Exchange, NOT_REACHABLE, RECORDING_ENDED } from '../recording.ts';

const REASONS: ReadonlyMap<string | null, string> = new Map([
  [RECORDING_ENDED, 'calls that were under way when the recording ended'],
  [NOT_REACHABLE, 'calls that the recorder could not pass on'],
]);

/** Why nobody knows what the service would have answered to any of these calls; undefined where that is known. */
export function whyUnrecorded(...calls: readonly Pick<Exchange, 'error'>[]): string | undefined {
  return calls.map(({ error }) => REASONS.get(error)).find((reason) => reason !== undefined);
}
