import { isRefusedAs, OutcomeUnknown, type Refusal } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/** Why a call was interrupted. The refusal itself says to repeat the call, or that it had no effect, which may be wrong. */
const INTERRUPTION_REASONS: Partial<Record<RefusalKind, string>> = {
  moved: 'the session was taken over by another process, or read again, before the call ended',
  storage: 'changes could not be stored any more before the call ended',
  stopping: 'the sandbox was stopped before the call ended',
  'session-ended': 'the session was being reset or deleted during the call, and that may not have been stored',
};

/** Decides how a session's failed calls are refused. A refusal must not say that the call had no effect if it may have had one. */
export class CallOutcomes {
  readonly #queue: TransactionQueue;
  #deletion: Promise<void> = Promise.resolve();

  constructor(queue: TransactionQueue) {
    this.#queue = queue;
  }

  /** `deletion` rejects if the store could not delete the session. */
  onSessionEnd(deletion: Promise<void>): void {
    this.#deletion = deletion;
  }

  /**
   * Runs the steps of one call. Resolves when everything that they may have read is durable. Rejects with OutcomeUnknown if the call was
   * interrupted after any call of the session made a commit that was stored, or may have been.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { storedCommits } = this.#queue;
    const hasSessionCommitted = () => this.#queue.storedCommits !== storedCommits;
    try {
      const result = await work();
      await (hasSessionCommitted() ? this.#queue.waitUntilDurable() : this.#queue.confirm());
      return result;
    } catch (error) {
      const reason = await this.confirmRefusal(error);
      throw hasSessionCommitted() ? this.reviseAfterCommit(reason) : reason;
    }
  }

  /** The refusal of a failed call: its error, or another one if the reset that caused it was perhaps not stored, or the session has moved. */
  confirmRefusal(error: unknown): Promise<unknown> {
    if (isRefusedAs(error, 'session-ended')) {
      // If the commit that ended the generation was not stored, the records that it wiped exist again.
      return Promise.all([this.#queue.waitUntilDurable(), this.#deletion]).then(
        () => error,
        () => toUnknownOutcome(error),
      );
    }
    return this.#queue.confirm().then(
      () => error,
      (reason) => (isRefusedAs(reason, 'moved') && !isRefusedAs(error, 'outcome-unknown') ? reason : error),
    );
  }

  /** The refusal of a call that may have committed something. */
  reviseAfterCommit(error: unknown): unknown {
    return isRefusedAs(error, 'moved', 'storage', 'stopping') ? toUnknownOutcome(error) : error;
  }
}

function toUnknownOutcome(refusal: Refusal): OutcomeUnknown {
  return new OutcomeUnknown(INTERRUPTION_REASONS[refusal.kind] ?? refusal.message, refusal);
}
