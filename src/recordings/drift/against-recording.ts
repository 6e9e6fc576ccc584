import type { Fixtures } from '../../server/index.ts';
import { CallKinds } from '../call-kinds.ts';
import type { Recording } from '../recording.ts';
import { type Compared, Comparison } from './comparison.ts';
import type { NoiseFilter } from './noise-rules.ts';
import { pairCalls } from './pair-calls.ts';

/** Compares a recording with another one. Throws RecordingError, and the signal's reason. */
export async function compareWithRecording(
  filter: NoiseFilter,
  recording: Recording,
  other: Recording,
  { fixtures, signal }: { fixtures: Fixtures; signal: AbortSignal | undefined },
): Promise<Compared> {
  const comparison = new Comparison(filter);
  const kinds = new CallKinds(fixtures);
  for await (const { recorded, other: replayed } of pairCalls(recording, other)) {
    signal?.throwIfAborted();
    if (recorded && replayed) {
      comparison.call({ recorded, replayed, ...kinds.of(recorded.exchange) });
    } else if (recorded) {
      const { exchange, ...place } = recorded;
      comparison.callAlone('recorded', exchange, kinds.of(exchange), { ...place, at: exchange.at });
    } else if (replayed) {
      comparison.callAlone('sandbox', replayed, kinds.of(replayed), null);
    }
  }
  for await (const { exchange, ...place } of recording.notifications()) {
    comparison.notification('recorded', exchange, place);
  }
  for await (const { exchange } of other.notifications()) {
    comparison.notification('sandbox', exchange);
  }
  return comparison.end({ recorded: recording.span?.to ?? 0, sandbox: other.span?.to ?? 0 });
}
