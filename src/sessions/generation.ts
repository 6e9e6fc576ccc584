import { Refusal, type RefusalKind } from '../refusal.ts';

/** What ended a generation. */
export type EndReason = 'reset' | 'restored' | 'deleted' | 'stopped' | 'moved';

/** Work that belongs to a generation that is over. Nothing of it is kept, unless its session moved. */
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
      words: 'the sandbox was stopped before this call was over',
      headers: { 'Retry-After': '1' },
    };
  }
  if (reason === 'moved') {
    const words = `session ${session} moved to another node before this call was over; look whether what it changed was kept`;
    return { kind: 'moved', words, headers: { 'Retry-After': '1' } };
  }
  const words = `session ${session} was ${reason} before this call was over; nothing of it is kept, so send it again`;
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

  /** Throws StaleGeneration where the generation is over. */
  expectCurrent(): void {
    if (this.#ended !== undefined) {
      throw new StaleGeneration(this.#session, this.#ended);
    }
  }
}
