import type { Instant } from '../../base/time.ts';
import type { LastCalls } from './history-entry.ts';

/** Who plays a history decides when each step has its turn, and hears of what was done. */
export interface Pace {
  lastCalls: LastCalls;
  /** What the session's and the machine's clocks say at its begin. */
  from: { instant: Instant; machine: Instant };
  /** Whether steps take their turns by themselves again. */
  readonly isOver: boolean;
  /** A call has come. */
  begun(id: string): void;
  /** Resolves when it is the step's turn; undefined where it is at once. */
  turn(step: 'turn' | 'sending' | 'answer', of: string): Promise<void> | undefined;
  done(step: 'turn' | 'sending' | 'answer' | 'sent', of: string): void;
}
