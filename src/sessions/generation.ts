import { Refusal } from '../refusal.ts';

/** What ended a generation. */
export type EndReason = 'reset' | 'restored' | 'deleted' | 'stopped';

/** Work that belongs to a generation that is over. Nothing of it is kept. */
export class StaleGeneration extends Refusal {
  constructor(session: string, reason: EndReason) {
    super(
      reason === 'stopped' ? 'stopping' : 'session-ended',
      reason === 'stopped'
        ? 'the sandbox was stopped before this call was over'
        : `session ${session} was ${reason} before this call was over; nothing of it is kept, so send it again`,
    );
    this.name = 'StaleGeneration';
  }
}

/**
 * The life of a session from one reset to the next. Ids and times recur after a reset, so a record's id alone never says
 * whether a late result belongs to it: the generation does.
 */
export class Generation {
  readonly number: number;
  readonly #session: string;
  #ended: EndReason | undefined;

  constructor(session: string, number: number) {
    this.#session = session;
    this.number = number;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  end(reason: EndReason): void {
    this.#ended ??= reason;
  }

  /** Throws StaleGeneration where the generation is over. */
  expectCurrent(): void {
    if (this.#ended !== undefined) {
      throw new StaleGeneration(this.#session, this.#ended);
    }
  }
}
