import type { Instant } from '../../base/time.ts';
import type { Cause } from './call-context.ts';
import type { SessionEvent } from './event-log.ts';
import type { Generation } from './generation.ts';

export interface TransactOptions {
  /** The instant that the work belongs to; left out, it is now. */
  at?: Instant | undefined;
  /** The generation that the work belongs to; left out, the present one. */
  generation?: Generation;
  /** The call of the merchant API that the work belongs to; left out, none. */
  cause?: Cause;
  /** What a history calls the job that the work belongs to; left out, none. */
  job?: string;
}

export type ReadOptions = Pick<TransactOptions, 'generation' | 'cause'>;

export interface CommitOptions {
  /** Forget everything that was kept before. */
  wipe?: boolean;
  events?: readonly SessionEvent[];
  /** Called before the followers. */
  whenKept?(): void;
}
