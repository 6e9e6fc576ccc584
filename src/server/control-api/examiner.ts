import type { ExaminationStart, ExaminationView } from '../../base/schema/generated/control.ts';

/** The shop and its start command are fixed when the program starts, so no caller can choose a command. */
export interface Examiner {
  state(): ExaminationView;
  /** Resolves once the examination has begun. Throws `conflict` if one is running, `invalid-field` for unknown names. */
  start(options: ExaminationStart): Promise<void>;
  /** Resolves once no examination is running. */
  stop(): Promise<void>;
}
