import type { ExaminationStart, ExaminationView } from '../../base/schema/generated/control.ts';

/** What examines a shop. Which one, and how it is started, was said at the start of the program: neither comes over the network. */
export interface Examiner {
  state(): ExaminationView;
  /** Resolves once it has begun. Throws `conflict` if one is running, `invalid-field` for unknown names. */
  start(wanted: ExaminationStart): Promise<void>;
  /** Resolves once none runs any more. */
  stop(): Promise<void>;
}
