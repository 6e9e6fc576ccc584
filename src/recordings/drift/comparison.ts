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
import { membersIn } from '../body.ts';
import type { Place } from '../recording.ts';
import { AnswerComparison, type ComparedCall } from './answer-comparison.ts';
import { Delays } from './delays.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryComparison } from './delivery-comparison.ts';
import { pathShapeOf } from './formats.ts';
import type { NoiseFilter } from './noise-rules.ts';
import { NotComparedCounts } from './not-compared.ts';
import { isAccepted, isLost, type Payment, Payments, QUERY, type Subject, statusIn } from './payments.ts';
import type { SideName } from './seen.ts';
import { compareSequences, type Ends } from './sequences.ts';
import { Tally } from './tally.ts';
import { whyUnrecorded } from './unrecorded.ts';
import { Vocabulary } from './vocabulary.ts';

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
  readonly #vocabulary: Vocabulary;
  readonly #payments = new Payments();
  readonly #answers: AnswerComparison;
  readonly #deliveries: DeliveryComparison;
  /** Notifications of no known payment, by what they call it. */
  readonly #others = new Map<string, Deliveries>();
  #exchanges = 0;

  /** `words`: the status words that the other side has, told or not. */
  constructor(filter: NoiseFilter, words: readonly string[] = []) {
    this.#filter = filter;
    this.#vocabulary = new Vocabulary(words);
    this.#tally = new Tally(filter);
    this.#delays = new Delays(filter);
    const [tally, notCompared, vocabulary] = [this.#tally, this.#notCompared, this.#vocabulary];
    this.#answers = new AnswerComparison({ tally, notCompared, vocabulary, delays: this.#delays });
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
      this.#afterRefusal(payment, 'calls about a payment that only one side made', source);
    } else if (payment?.isUnanswered && isAccepted(exchange) !== isAccepted(replayed)) {
      this.#afterRefusal(payment, 'calls about a payment that only one side answered and knows', source);
    } else if (exchange.answer && replayed.answer) {
      this.#exchanges += 1;
      this.#answers.compare(call, subject, payment);
    } else {
      this.#answers.compareSilence(call, subject);
    }
    const { again, hasRoom } = this.#payments.begin(subject, exchange, replayed);
    if (again) {
      this.#answers.compareRepetition(again, subject);
    }
    if (!hasRoom) {
      this.#notCompared.add('states of more payments than are followed', source);
    }
  }

  /** `place`: where a recorded one stands. */
  notification(side: SideName, notification: RecordedNotification, place?: Place): void {
    const source = place ? { ...place, at: notification.at } : null;
    const told = statusIn(notification.body);
    const payment = this.#payments.ofNotification(side, notification, told ?? NO_STATUS);
    if (payment?.isRefused) {
      const which = payment.isUnrecorded ? 'whose initiation was not compared' : 'that only one side made';
      this.#afterRefusal(payment, `notifications of a payment ${which}`, source);
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
      const isExplained = this.#isUntold(payment) || compareSequences(payment, parts);
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
    const counted = this.#tally.differences((renamed) => this.#vocabulary.isRenamed(renamed));
    this.#answers.end();
    const found = [...counted, ...this.#delays.differences];
    const inOrder = PARTS.flatMap((part) => found.filter((each) => each.part === part));
    const differences = inOrder.map((each, index) => ({ id: `D${index + 1}`, ...each, fixtures: [] }));
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

  /** Which words stand for each other, where both sides told as many. */
  #learnWords(payments: readonly Payment[]): void {
    const words = [
      ...payments.map(({ recorded, sandbox }) => [recorded.words, sandbox.words] as const),
      ...[...this.#others.values()].map((each) => [[...each.recorded.keys()], [...each.sandbox.keys()]] as const),
    ];
    for (const [was, is] of words) {
      this.#vocabulary.follow(was);
      if (was.length === is.length) {
        was.forEach((from, index) => {
          this.#vocabulary.pair({ from, to: is[index] ?? from });
        });
      }
    }
  }

  /** Whether queries tell one side alone what a status is: what the other one tells instead is a difference of its own. */
  #isUntold(payment: Payment): boolean {
    const { recorded, sandbox, channel, environment, source } = payment;
    if (recorded.isUntold === sandbox.isUntold) {
      return false;
    }
    const subject = { operation: QUERY, channel, environment };
    const kinds = ['type', 'missing-member', 'new-member', 'null-or-empty', 'body'] as const;
    this.#notCompared.because(kinds, subject, 'statuses of payments that only one side tells in words', source);
    return true;
  }

  #afterRefusal(payment: Payment, reason: string, source: DriftSource): void {
    const kinds = payment.isUnrecorded ? [] : (['status', 'no-answer', 'repetition'] as const);
    this.#notCompared.because(kinds, payment, reason, source ?? payment.source);
  }

  #othersFor({ body }: RecordedNotification): Deliveries | undefined {
    const key = String(Object.entries(membersIn(body)).find(([name]) => /reference$/i.test(name))?.[1] ?? '');
    if (!this.#others.has(key) && this.#others.size < MOST_OTHERS) {
      this.#others.set(key, new Deliveries());
    }
    return this.#others.get(key);
  }
}
