import type { RecordedCall } from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import { jsonOf } from '../body.ts';
import type { CallKind } from '../call-kinds.ts';
import { isNotSent, type TracedCall } from '../recording.ts';
import { compareBodies, compareHeaders } from './compare-messages.ts';
import type { Delays } from './delays.ts';
import { lifetimesIn } from './lifetimes.ts';
import type { NotComparedCounts } from './not-compared.ts';
import { type Payment, QUERY, type Subject, toldBy } from './payments.ts';
import { ANSWER, type Context, NOTHING } from './seen.ts';
import { SentValues } from './sent-values.ts';
import { isSameWord } from './states.ts';
import type { Tally } from './tally.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A recorded call and the same one on the other side. */
export interface ComparedCall extends CallKind {
  recorded: TracedCall;
  replayed: RecordedCall;
}

/** What takes up what the answers show. */
interface Parts {
  tally: Tally;
  delays: Delays;
  notCompared: NotComparedCounts;
  vocabulary: Vocabulary;
}

/** Compares what both sides answered to a call. */
export class AnswerComparison {
  readonly #tally: Tally;
  readonly #delays: Delays;
  readonly #notCompared: NotComparedCounts;
  readonly #vocabulary: Vocabulary;

  constructor({ tally, delays, notCompared, vocabulary }: Parts) {
    this.#tally = tally;
    this.#delays = delays;
    this.#notCompared = notCompared;
    this.#vocabulary = vocabulary;
  }

  compare({ recorded: { exchange }, replayed }: ComparedCall, subject: Subject, payment?: Payment): void {
    const [was, is] = [exchange.answer, replayed.answer];
    if (!was || !is) {
      return;
    }
    const status = `${Math.floor(was.status / 100)}xx`;
    const told = this.#told(exchange, replayed, subject.operation, payment);
    const context: Context = { part: 'answer', ...subject, status, renamed: told };
    const sink = this.#tally.sinkFor({ ...context, renamed: undefined });
    sink.looked('status');
    this.#tally.sinkFor({ ...context, renamed: undefined, status: null }).looked(ANSWER);
    if (was.status !== is.status) {
      const side = (value: number) => ({ is: 'status', value });
      sink.saw({ kind: 'status', place: 'status', recorded: side(was.status), sandbox: side(is.status) });
    }
    if (Math.floor(was.status / 100) !== Math.floor(is.status / 100)) {
      return;
    }
    if (exchange.error !== null || replayed.error !== null) {
      this.#notCompared.add('bodies of answers that broke off', subject.source);
      return;
    }
    const sent = { recorded: new SentValues(exchange), sandbox: new SentValues(replayed) };
    compareHeaders(sink, was.headers, is.headers);
    compareBodies(told ? this.#tally.sinkFor(context) : sink, was.body, is.body, sent);
    const lifetimes = new Map(lifetimesIn(jsonOf(is.body), parseInstant(replayed.at)));
    for (const [place, lifetime] of lifetimesIn(jsonOf(was.body), parseInstant(exchange.at))) {
      const other = lifetimes.get(place);
      if (other !== undefined) {
        this.#delays.compare(context, place, { from: lifetime, to: lifetime }, { from: other, to: other });
      }
    }
  }

  /** Takes up what a status query was told; where both sides told another word, it may be another name of the same status. */
  #told(
    recorded: RecordedCall,
    sandbox: RecordedCall,
    operation: string | null,
    payment?: Payment,
  ): Context['renamed'] {
    const [from, to] = [toldBy(operation, recorded), toldBy(operation, sandbox)];
    for (const [side, word, { at, answer }] of [
      ['recorded', from, recorded],
      ['sandbox', to, sandbox],
    ] as const) {
      if (word !== undefined) {
        this.#vocabulary.add(side, word);
        payment?.[side].query(word, parseInstant(at));
      } else if (payment && operation === QUERY && answer !== null && answer.status < 400) {
        payment[side].isUntold = true;
      }
    }
    if (from === undefined || to === undefined || isSameWord(from, to)) {
      return undefined;
    }
    this.#vocabulary.pair({ from, to });
    return { from, to };
  }

  /** One side or both gave no answer. */
  compareSilence({ recorded: { exchange }, replayed }: ComparedCall, subject: Subject): void {
    const [was, is] = [exchange.answer?.status, replayed.answer?.status];
    if (is === undefined && (was === undefined || isNotSent(replayed.error))) {
      const reason = was === undefined ? 'calls that neither side answered' : `calls that were ${replayed.error}`;
      this.#notCompared.add(reason, subject.source);
      return;
    }
    const sink = this.#tally.sinkFor({ part: 'answer', ...subject, status: null });
    const side = (value: number | undefined) => (value === undefined ? NOTHING : { is: 'status', value });
    sink.looked(ANSWER);
    sink.saw({ kind: 'no-answer', place: ANSWER, recorded: side(was), sandbox: side(is) });
  }
}
