import { isRefusedAs, OutcomeUnknown, type Refusal } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/** Why a call was cut off. The refusal's own message says to send the call again, which is wrong once something was done. */
const WHY_CUT_OFF: Partial<Record<RefusalKind, string>> = {
  moved: 'the session was taken over by another process, or read again, before the call ended',
  storage: 'changes could not be kept any more before the call ended',
  stopping: 'the sandbox was stopped before the call ended',
  'session-ended': 'the session was being reset or deleted during the call, and that may not have been kept',
};

/** Decides the answers to a session's calls, because none may report that nothing was done if something may have been. */
export class CallOutcomes {
  readonly #queue: TransactionQueue;
  #dropped: Promise<void> = Promise.resolve();

  constructor(queue: TransactionQueue) {
    this.#queue = queue;
  }

  /** The session is deleted once `dropped` resolves; if it rejects, it is not. */
  onDeletion(dropped: Promise<void>): void {
    this.#dropped = dropped;
  }

  /**
   * Runs the steps of one call. Resolves when all that they may have read is durable. Rejects with OutcomeUnknown where the call was
   * cut off after something in the session was committed, or may have been.
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    const { kept } = this.#queue;
    const isKept = () => this.#queue.kept !== kept;
    try {
      const result = await work();
      await (isKept() ? this.#queue.durable() : this.#queue.confirm());
      return result;
    } catch (error) {
      const reason = await this.confirmRefusal(error);
      throw isKept() ? this.refusalAfterCommit(reason) : reason;
    }
  }

  /** Resolves with the refusal of a call, or with another one if the records that caused it may be gone. */
  confirmRefusal(error: unknown): Promise<unknown> {
    if (isRefusedAs(error, 'session-ended')) {
      // Where the commit that ended the generation is lost, the records that it wiped are back.
      return Promise.all([this.#queue.durable(), this.#dropped]).then(
        () => error,
        () => unknown(error),
      );
    }
    return this.#queue.confirm().then(
      () => error,
      (reason) => (isRefusedAs(reason, 'moved') && !isRefusedAs(error, 'outcome-unknown') ? reason : error),
    );
  }

  /** The refusal of a call that had committed something: it must not say that nothing was done. */
  refusalAfterCommit(error: unknown): unknown {
    return isRefusedAs(error, 'moved', 'storage', 'stopping') ? unknown(error) : error;
  }
}

function unknown(refusal: Refusal): OutcomeUnknown {
  return new OutcomeUnknown(WHY_CUT_OFF[refusal.kind] ?? refusal.message, refusal);
}
