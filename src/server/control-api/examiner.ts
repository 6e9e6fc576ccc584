import type { ExaminationStart, ExaminationView } from '../../base/schema/control.ts';

/** What examines a shop. Which one, and how it is started, was said at the start of the program: neither comes over the network. */
export interface Examiner {
  state(): ExaminationView;
  /** Resolves once it has begun. Throws `conflict` where one runs, `invalid-field` for what is named and not there. */
  start(wanted: ExaminationStart): Promise<void>;
  /** Resolves once none runs any more. */
  stop(): Promise<void>;
}
