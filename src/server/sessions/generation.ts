import { Refusal } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';

/** What ended a generation. */
export type EndReason = 'reset' | 'restored' | 'deleted' | 'stopped' | 'moved';

/** A step of work that belongs to a generation that is over. Nothing of that step is done. */
export class StaleGeneration extends Refusal {
  constructor(session: string, reason: EndReason) {
    const { kind, words, headers } = refusalOf(session, reason);
    super(kind, words, { headers });
    this.name = 'StaleGeneration';
  }
}

function refusalOf(
  session: string,
  reason: EndReason,
): { kind: RefusalKind; words: string; headers: Record<string, string> } {
  if (reason === 'stopped') {
    return {
      kind: 'stopping',
      words: 'the sandbox was stopped during this call',
      headers: { 'Retry-After': '1' },
    };
  }
  if (reason === 'moved') {
    const words = `session ${session} moved to another node before this call was over; send the call again`;
    return { kind: 'moved', words, headers: { 'Retry-After': '1' } };
  }
  const words = `session ${session} was ${reason} during this call; nothing of the call was kept, so send it again`;
  return { kind: 'session-ended', words, headers: {} };
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

  /** Throws StaleGeneration where what was kept in it may be no more. Where its session moved, it is kept at another node. */
  expectLasting(): void {
    if (this.#ended !== 'moved') {
      this.expectCurrent();
    }
  }

  /** Throws StaleGeneration where the generation is over. */
  expectCurrent(): void {
    if (this.#ended !== undefined) {
      throw new StaleGeneration(this.#session, this.#ended);
    }
  }
}
