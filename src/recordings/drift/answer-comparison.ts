import type { RecordedCall } from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import { jsonOf } from '../body.ts';
import type { CallKind } from '../call-kinds.ts';
import { NOT_SENT, type TracedCall } from '../recording.ts';
import { compareBodies, compareHeaders } from './compare-messages.ts';
import type { Delays } from './delays.ts';
import { clockOf, lifetimesIn } from './lifetimes.ts';
import type { NotComparedCounts } from './not-compared.ts';
import { type Payment, QUERY, type Repetition, type Subject, toldBy } from './payments.ts';
import { ANSWER, type Context, NOTHING, type Renamed, type SideName } from './seen.ts';
import { SentValues } from './sent-values.ts';
import { isSameWord } from './states.ts';
import type { Tally } from './tally.ts';
import type { Vocabulary } from './vocabulary.ts';
import { compareZones } from './zones.ts';

const REPETITION = 'repetition';

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
  /** Answers that told different words, by these and what they were about. */
  readonly #others = new Map<string, { renamed: Renamed; subject: Subject; count: number }>();

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
    const told = this.#told(exchange, replayed, subject, payment);
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
    compareZones(sink, exchange, replayed);
    const lifetimes = new Map(lifetimesIn(jsonOf(is.body), clockOf(replayed)));
    for (const [place, lifetime] of lifetimesIn(jsonOf(was.body), clockOf(exchange))) {
      const other = lifetimes.get(place);
      if (other !== undefined) {
        this.#delays.compare(context, place, { from: lifetime, to: lifetime }, { from: other, to: other });
      }
    }
  }

  /** Takes up what a status query was told; where both sides told another word, it may be another name of the same status. */
  #told(recorded: RecordedCall, sandbox: RecordedCall, subject: Subject, payment?: Payment): Context['renamed'] {
    const { operation, channel, environment } = subject;
    const [from, to] = [toldBy(operation, recorded), toldBy(operation, sandbox)];
    for (const [side, word, { at, answer }] of [
      ['recorded', from, recorded],
      ['sandbox', to, sandbox],
    ] as const) {
      if (word !== undefined) {
        this.#hear(side, word, at, payment);
      } else if (payment && operation === QUERY && answer !== null && answer.status < 400) {
        payment[side].isUntold = true;
      }
    }
    if (from === undefined || to === undefined || isSameWord(from, to)) {
      return undefined;
    }
    const renamed = { from, to };
    this.#vocabulary.pair(renamed);
    const key = JSON.stringify([channel, environment, from, to]);
    const other = this.#others.get(key) ?? { renamed, subject, count: 0 };
    this.#others.set(key, { ...other, count: other.count + 1 });
    return renamed;
  }

  /** Once all names of statuses are known. */
  end(): void {
    for (const { renamed, subject, count } of this.#others.values()) {
      if (!this.#vocabulary.isRenamed(renamed)) {
        const reason = 'answers to status queries that told another status';
        this.#notCompared.because(['delay', 'sequence'], subject, reason, subject.source, count);
      }
    }
  }

  #hear(side: SideName, word: string, at: string, payment?: Payment): void {
    this.#vocabulary.add(side, word);
    payment?.[side].query(word, parseInstant(at));
  }

  /** Whether a second initiation with one reference begins a second payment. */
  compareRepetition(again: Repetition, subject: Subject): void {
    const sink = this.#tally.sinkFor({ part: 'answer', ...subject, status: null });
    const side = (isAgain: boolean) => ({ is: isAgain ? 'the first payment again' : 'a new payment' });
    sink.looked(REPETITION);
    if (again.recorded !== again.sandbox) {
      const [recorded, sandbox] = [side(again.recorded), side(again.sandbox)];
      sink.saw({ kind: REPETITION, place: REPETITION, recorded, sandbox });
    }
  }

  /** One side or both gave no answer. */
  compareSilence({ recorded: { exchange }, replayed }: ComparedCall, subject: Subject): void {
    const [was, is] = [exchange.answer?.status, replayed.answer?.status];
    if (is === undefined && (was === undefined || replayed.error?.startsWith(NOT_SENT))) {
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
