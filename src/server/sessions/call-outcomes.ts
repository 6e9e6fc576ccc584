import { isRefusedAs, OutcomeUnknown, type Refusal } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/** Why a call ended in its midst. What a refusal itself says is for a call of which nothing was done: to send it again. */
const WHY_CUT_OFF: Partial<Record<RefusalKind, string>> = {
  moved: 'the session moved to another node, or was read again, before the call was over',
  storage: 'changes could not be kept any more before the call was over',
  stopping: 'the sandbox was stopped before the call was over',
  'session-ended': 'the session was to be reset or deleted meanwhile, and that may not have been kept',
};

/** What the calls of a session are told in the end: never that nothing was done where something may have been. */
export class Calls {
  readonly #queue: TransactionQueue;
  #dropped: Promise<void> = Promise.resolve();

  constructor(queue: TransactionQueue) {
    this.#queue = queue;
  }

  /** The session is deleted once that resolves, and not at all where it rejects. */
  droppedAt(dropped: Promise<void>): void {
    this.#dropped = dropped;
  }

  /**
   * Does what one call asks for, in as many steps as it takes. Resolves when all that it may have seen is durable. Rejects with
   * OutcomeUnknown where it was cut off after something in the session was kept, or may have been.
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    const { kept } = this.#queue;
    const isKept = () => this.#queue.kept !== kept;
    try {
      const result = await work();
      await (isKept() ? this.#queue.durable() : this.#queue.confirm());
      return result;
    } catch (error) {
      const reason = await this.stillSeen(error);
      throw isKept() ? this.afterKept(reason) : reason;
    }
  }

  /** Resolves with why a call is refused: with something else where what it was refused for may be no more. */
  stillSeen(error: unknown): Promise<unknown> {
    if (isRefusedAs(error, 'session-ended')) {
      // Where what ended the generation is not kept, what it wiped is there again.
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

  /** What a call is told of which something was kept before it was refused: not that nothing was. */
  afterKept(error: unknown): unknown {
    return isRefusedAs(error, 'moved', 'storage', 'stopping') ? unknown(error) : error;
  }
}

function unknown(refusal: Refusal): OutcomeUnknown {
  return new OutcomeUnknown(WHY_CUT_OFF[refusal.kind] ?? refusal.message, refusal);
}
