import type { RecordedCall } from '../../base/schema/recordings.ts';
import type { Instant } from '../../base/time.ts';

/** Where a recording is played. */
export interface Target {
  /** The recorded targets stand below it. */
  readonly baseUrl: string;
  /** Resolves with what time it is there, once it is time for what was recorded at an instant. */
  moveTo(at: Instant): Promise<Instant>;
  /** Real milliseconds that the answer to a call is waited for. */
  patienceFor(call: RecordedCall): number;
  /** Real milliseconds after which time goes on though a call is not answered that was by then; undefined where it always waits. */
  readonly stallMs: number | undefined;
}

/** Real milliseconds that an answer is waited for where there was one in the recording. */
export const USUAL_PATIENCE_MS = 60_000;
