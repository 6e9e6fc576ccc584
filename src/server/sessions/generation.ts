import { Refusal } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';

/** Why a generation ended, or (`stopped`) the sandbox. The data of an evicted session remains, and another process may use it. */
export type EndReason = 'reset' | 'restored' | 'deleted' | 'stopped' | 'evicted';

type Ending = [kind: RefusalKind, words: string];

/** The generation or the sandbox has ended, or another process may have the session. */
export class StaleGeneration extends Refusal {
  constructor(session: string, reason: EndReason) {
    const endings: Partial<Record<EndReason, Ending>> = {
      stopped: ['stopping', 'the sandbox was stopped during this call'],
      evicted: ['moved', `session ${session} was taken over by another process during this call; send the call again`],
    };
    const lostData: Ending = [
      'session-ended',
      `session ${session} was ${reason} during this call; nothing of the call was kept, so send it again`,
    ];
    const [kind, words] = endings[reason] ?? lostData;
    super(kind, words, { headers: reason in endings ? { 'Retry-After': '1' } : {} });
    this.name = 'StaleGeneration';
  }
}

/**
 * The life of a session from one reset or restore to the next. Ids and times can recur after a reset, so only the generation tells
 * whether a late result belongs to a record.
 */
export class Generation {
  readonly number: number;
  readonly #session: string;
  #endReason: EndReason | undefined;

  constructor(session: string, number: number) {
    this.#session = session;
    this.number = number;
  }

  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  end(reason: EndReason): void {
    this.#endReason ??= reason;
  }

  /** Throws StaleGeneration if its records may have been deleted. Those of an evicted session remain in the store. */
  assertNotWiped(): void {
    if (this.#endReason !== 'evicted') {
      this.assertCurrent();
    }
  }

  /** Throws StaleGeneration once the generation has ended. */
  assertCurrent(): void {
    if (this.#endReason !== undefined) {
      throw new StaleGeneration(this.#session, this.#endReason);
    }
  }
}
