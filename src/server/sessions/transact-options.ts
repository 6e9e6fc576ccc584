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
  /** The job that the work belongs to, as nameOf says; left out, none. */
  job?: string;
}

export type ReadOptions = Pick<TransactOptions, 'generation'>;

export interface CommitOptions {
  /** Forget everything that was kept before. */
  wipe?: boolean;
  events?: readonly SessionEvent[];
  /** The call of the merchant API or the job that makes it. */
  cause?: string | undefined;
  /** Called before the followers. */
  whenKept?(): void;
}
