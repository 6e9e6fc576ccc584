import { membersOf } from '../../base/members.ts';
import type {
  ComparedCounts,
  Difference,
  DriftSource,
  NoiseCount,
  NotCompared,
  RecordedCall,
  RecordedNotification,
} from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import { jsonOf } from '../body.ts';
import type { CallKind } from '../call-kinds.ts';
import type { Place, TracedCall } from '../recording.ts';
import { compareBodies, compareHeaders } from './compare-messages.ts';
import { Delays } from './delays.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryComparison } from './delivery-comparison.ts';
import { pathShapeOf } from './formats.ts';
import type { NoiseFilter } from './noise-rules.ts';
import { NotComparedCounts } from './not-compared.ts';
import { isAccepted, isLost, type Payment, Payments, type Subject, statusIn, toldBy } from './payments.ts';
import { type Context, NOTHING, type SideName } from './seen.ts';
import { SentValues } from './sent-values.ts';
import { compareSequences, type Ends } from './sequences.ts';
import { Tally } from './tally.ts';
import { whyUnrecorded } from './unrecorded.ts';
import { Vocabulary } from './vocabulary.ts';

/** A recorded call and the same one on the other side. */
export interface ComparedCall extends CallKind {
  recorded: TracedCall;
  replayed: RecordedCall;
}

/** What came out of a comparison. */
export interface Compared {
  compared: ComparedCounts;
  differences: Difference[];
  noise: NoiseCount[];
  notCompared: NotCompared[];
}

/** Notifications of no known payment that are kept apart. */
const MOST_OTHERS = 10_000;
/** In the order in which they are reported. */
const PARTS = ['answer', 'payment', 'notification'] as const;
const NO_STATUS = 'no status';
/** The place of whether there is an answer. */
const ANSWER = 'answer';
const ELSEWHERE: Omit<Subject, 'source'> = { operation: null, channel: null, environment: null };

/**
 * Compares what a service did with what a sandbox, or the service at another time, did. First all calls in order, then the notifications
 * of both sides. Keeps counts, and a little of each payment.
 */
export class Comparison {
  readonly #filter: NoiseFilter;
  readonly #tally: Tally;
  readonly #delays: Delays;
  readonly #notCompared = new NotComparedCounts();
  readonly #vocabulary = new Vocabulary();
  readonly #payments = new Payments();
  readonly #deliveries: DeliveryComparison;
  /** Notifications of no known payment, by what they call it. */
  readonly #others = new Map<string, Deliveries>();
  #exchanges = 0;

  /** `words`: the status words that the other side has, told or not. */
  constructor(filter: NoiseFilter, words: Iterable<string> = []) {
    this.#filter = filter;
    for (const word of words) {
      this.#vocabulary.add('sandbox', word);
    }
    this.#tally = new Tally(filter);
    this.#delays = new Delays(filter);
    const [tally, notCompared, vocabulary] = [this.#tally, this.#notCompared, this.#vocabulary];
    this.#deliveries = new DeliveryComparison({ tally, filter, notCompared, vocabulary });
  }

  call(call: ComparedCall): void {
    const { recorded, replayed } = call;
    const { exchange, ...place } = recorded;
    const source = { ...place, at: exchange.at };
    const payment = this.#payments.ofCall('recorded', exchange) ?? this.#payments.ofCall('sandbox', replayed);
    const subject: Subject = {
      operation: call.operation ?? `${exchange.method} ${pathShapeOf(exchange.target.replace(/\?.*$/s, ''))}`,
      channel: call.channel ?? payment?.channel ?? null,
      environment: call.environment,
      source,
    };
    const unrecorded = whyUnrecorded(exchange, replayed);
    if (unrecorded !== undefined) {
      this.#notCompared.add(unrecorded, source);
    } else if (payment?.isRefused && subject.operation !== payment.operation) {
      this.#afterRefusal(payment, 'calls about a payment that only one side accepted', source);
    } else if (payment?.isUnanswered && isAccepted(exchange) !== isAccepted(replayed)) {
      this.#afterRefusal(payment, 'calls about a payment that only one side answered and knows', source);
    } else if (exchange.answer && replayed.answer) {
      this.#exchanges += 1;
      this.#compareAnswers(call, subject, payment);
    } else {
      this.#compareSilence(call, subject);
    }
    if (!this.#payments.begin(subject, exchange, replayed)) {
      this.#notCompared.add('states of more payments than are followed', source);
    }
  }

  /** Something that cannot be compared. */
  skip(reason: string, source: DriftSource): void {
    this.#notCompared.add(reason, source);
  }

  /** `place`: where a recorded one stands. */
  notification(side: SideName, notification: RecordedNotification, place?: Place): void {
    const source = place ? { ...place, at: notification.at } : null;
    const payment = this.#payments.ofBody(side, notification.body);
    const told = statusIn(notification.body);
    if (payment?.isRefused) {
      this.#afterRefusal(payment, 'notifications of a payment that only one side accepted', source);
      return;
    }
    if (told !== undefined) {
      this.#vocabulary.add(side, told);
      payment?.[side].notified(told, parseInstant(notification.at));
    }
    const deliveries = payment?.deliveries ?? this.#othersFor(notification);
    if (!deliveries) {
      this.#notCompared.add('notifications of more unknown payments than are followed', source);
      return;
    }
    const both = deliveries.add(side, told ?? NO_STATUS, notification, source);
    if (both) {
      this.#deliveries.compareFirst(both, payment ?? ELSEWHERE);
    }
  }

  /** `ends`: when each side was looked at last. */
  end(ends: Ends): Compared {
    const parts = { tally: this.#tally, delays: this.#delays, vocabulary: this.#vocabulary, ends };
    const followed = this.#payments.all.filter((payment) => !payment.isRefused && !isLost(payment));
    for (const lost of this.#payments.all.filter(isLost)) {
      for (const { source } of [...lost.deliveries.recorded.values(), ...lost.deliveries.sandbox.values()]) {
        this.#afterRefusal(lost, 'notifications of a payment that only one side answered and knows', source);
      }
    }
    this.#learnWords(followed);
    for (const payment of followed) {
      const isExplained = compareSequences(payment, parts);
      const began = { recorded: payment.recorded.began, sandbox: payment.sandbox.began };
      this.#deliveries.close(payment.deliveries, { subject: payment, ends, began, isExplained });
    }
    for (const deliveries of this.#others.values()) {
      this.#deliveries.close(deliveries, {
        subject: { ...ELSEWHERE, source: null },
        ends,
        began: ends,
        isExplained: false,
      });
    }
    if (this.#tally.dropped > 0) {
      this.#notCompared.add('members with more names than can be told apart', null);
    }
    const { counted, explained } = this.#tally.differences((renamed) => this.#vocabulary.isRenamed(renamed));
    for (const { source, ...subject } of explained) {
      const reason = 'answers to status queries that told another status';
      this.#notCompared.because(['delay', 'sequence'], subject, reason, source);
    }
    const found = [...counted, ...this.#delays.differences];
    const inOrder = PARTS.flatMap((part) => found.filter((each) => each.part === part));
    const differences = inOrder.map((each, index) => ({ id: `D${index + 1}`, ...each, fixture: null }));
    return {
      compared: {
        exchanges: this.#exchanges,
        members: this.#tally.members,
        notifications: this.#deliveries.compared,
        payments: followed.length,
      },
      differences,
      noise: this.#filter.counts,
      notCompared: this.#notCompared.entries(differences),
    };
  }

  #compareAnswers({ recorded: { exchange }, replayed }: ComparedCall, subject: Subject, payment?: Payment): void {
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
  }

  /** Takes up what a status query was told; where both sides told another word, it may be another name of the same status. */
  #told(
    recorded: RecordedCall,
    sandbox: RecordedCall,
    operation: string | null,
    payment?: Payment,
  ): Context['renamed'] {
    const [from, to] = [toldBy(operation, recorded), toldBy(operation, sandbox)];
    for (const [side, word, { at }] of [
      ['recorded', from, recorded],
      ['sandbox', to, sandbox],
    ] as const) {
      if (word !== undefined) {
        this.#vocabulary.add(side, word);
        payment?.[side].query(word, parseInstant(at));
      }
    }
    if (from === undefined || to === undefined || from === to) {
      return undefined;
    }
    this.#vocabulary.pair({ from, to });
    return { from, to };
  }

  /** Which words stand for each other, where both sides told as many. */
  #learnWords(payments: readonly Payment[]): void {
    const words = [
      ...payments.map(({ recorded, sandbox }) => [recorded.words, sandbox.words] as const),
      ...[...this.#others.values()].map((each) => [[...each.recorded.keys()], [...each.sandbox.keys()]] as const),
    ];
    for (const [was, is] of words) {
      if (was.length === is.length) {
        was.forEach((from, index) => {
          this.#vocabulary.pair({ from, to: is[index] ?? from });
        });
      }
    }
  }

  /** One side or both gave no answer. */
  #compareSilence({ recorded: { exchange }, replayed }: ComparedCall, subject: Subject): void {
    const [was, is] = [exchange.answer?.status, replayed.answer?.status];
    if (is === undefined && (was === undefined || replayed.error?.startsWith('not sent'))) {
      const reason = was === undefined ? 'calls that neither side answered' : `calls that were ${replayed.error}`;
      this.#notCompared.add(reason, subject.source);
      return;
    }
    const sink = this.#tally.sinkFor({ part: 'answer', ...subject, status: null });
    const side = (value: number | undefined) => (value === undefined ? NOTHING : { is: 'status', value });
    sink.looked(ANSWER);
    sink.saw({ kind: 'no-answer', place: ANSWER, recorded: side(was), sandbox: side(is) });
  }

  #afterRefusal(payment: Payment, reason: string, source: DriftSource): void {
    const kinds = payment.isUnrecorded ? [] : (['status', 'no-answer'] as const);
    this.#notCompared.because(kinds, payment, reason, source ?? payment.source);
  }

  #othersFor({ body }: RecordedNotification): Deliveries | undefined {
    const members = membersOf(jsonOf(body));
    const key = String(Object.entries(members).find(([name]) => /reference$/i.test(name))?.[1] ?? '');
    if (!this.#others.has(key) && this.#others.size < MOST_OTHERS) {
      this.#others.set(key, new Deliveries());
    }
    return this.#others.get(key);
  }
}
