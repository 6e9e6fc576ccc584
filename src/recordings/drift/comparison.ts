import type {
  DriftReport,
  DriftSource,
  RecordedCall,
  RecordedNotification,
} from '../../base/schema/generated/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { membersIn } from '../body.ts';
import type { CallKind } from '../call-kinds.ts';
import type { PlayedCall } from '../player/play.ts';
import { type ExchangeSource, NOT_REACHABLE, NOT_SENT, RECORDING_ENDED } from '../recording.ts';
import { compareAnswers, reportMissingAnswer } from './compare-answers.ts';
import { ComparedPayments, statusIn } from './compared-payments.ts';
import { Deliveries } from './deliveries.ts';
import type { NoiseFilter } from './noise-filter.ts';
import { NotComparedCounts } from './not-compared.ts';
import { type Both, type DriftContext, type DriftSubject, mapBoth, type SideName } from './single-difference.ts';
import { compareStates, isSameStatus } from './states.ts';
import { Tally } from './tally.ts';
import { pathShapeOf } from './value-formats.ts';

export type ComparisonResult = Pick<DriftReport, 'compared' | 'differences' | 'noise' | 'notCompared'>;

/** A recorded call with its result in the sandbox and its kind. */
export interface ComparedCall extends PlayedCall, CallKind {}

/** Parts of a report, in their order. */
const PARTS = ['answer', 'payment', 'notification'] as const;
const STATUS_QUERY = 'getPaymentStatus';
const NO_STATUS = 'no status';
const UNKNOWN_SUBJECT: DriftSubject = { operation: null, channel: null, environment: null };
/** Reasons why the service's answer is unknown. */
const UNKNOWN_ANSWER_REASONS: ReadonlyMap<string | null, string> = new Map([
  [RECORDING_ENDED, 'calls that were active when the recording ended'],
  [NOT_REACHABLE, 'calls that the recorder could not pass on'],
]);

/** Compares a service with a sandbox: first all calls in order, then the notifications of both sides. */
export class Comparison {
  readonly #noise: NoiseFilter;
  readonly #endTimes: Both<Instant>;
  readonly #tally: Tally;
  readonly #notCompared = new NotComparedCounts();
  readonly #payments = new ComparedPayments();
  /** Notifications of unknown payments, by the reference in them. */
  readonly #withoutPayment = new Map<string, Deliveries>();
  #exchanges = 0;

  /** `endTimes`: when the observation of each side ended. */
  constructor(noise: NoiseFilter, endTimes: Both<Instant>) {
    this.#noise = noise;
    this.#endTimes = endTimes;
    this.#tally = new Tally(noise);
  }

  compareCall({ recorded: { exchange: recorded, ...location }, played: sandbox, ...kind }: ComparedCall): void {
    const source = { ...location, at: recorded.at };
    const payment = this.#payments.findByCall('recorded', recorded) ?? this.#payments.findByCall('sandbox', sandbox);
    const subject: DriftSubject = {
      operation: kind.operation ?? `${recorded.method} ${pathShapeOf(recorded.target.replace(/\?.*$/s, ''))}`,
      channel: kind.channel ?? payment?.channel ?? null,
      environment: kind.environment,
    };
    const unknownReason = UNKNOWN_ANSWER_REASONS.get(recorded.error);
    if (unknownReason !== undefined) {
      this.#notCompared.add(unknownReason, source);
    } else if (payment?.isOneSided && subject.operation !== payment.operation) {
      this.#notCompared.add('calls about a payment that may exist on only one side', source);
    } else {
      this.#compareAnswers({ recorded, sandbox }, subject, source);
      const [recordedStatus, sandboxStatus] = [reportedStatus(recorded, subject), reportedStatus(sandbox, subject)];
      // If only one answer contains a status, the comparison of answers reports it.
      if (payment && recordedStatus !== undefined && sandboxStatus !== undefined) {
        payment.recorded.recordQuery(recordedStatus, parseInstant(recorded.at));
        payment.sandbox.recordQuery(sandboxStatus, parseInstant(sandbox.at));
      }
    }
    this.#payments.recordInitiation(subject, source, { recorded, sandbox }, unknownReason !== undefined);
  }

  #compareAnswers({ recorded, sandbox }: Both<RecordedCall>, subject: DriftSubject, source: DriftSource): void {
    const [recordedAnswer, sandboxAnswer] = [recorded.answer, sandbox.answer];
    const status = recordedAnswer && sandboxAnswer ? `${Math.floor(recordedAnswer.status / 100)}xx` : null;
    const sink = this.#tally.sinkFor({ part: 'answer', ...subject, status, source });
    if (recordedAnswer && sandboxAnswer) {
      this.#exchanges += 1;
      const isBroken = recorded.error !== null || sandbox.error !== null;
      const [recordedStatus, sandboxStatus] = [reportedStatus(recorded, subject), reportedStatus(sandbox, subject)];
      const hasOtherStatus =
        recordedStatus !== undefined && sandboxStatus !== undefined && !isSameStatus(recordedStatus, sandboxStatus);
      if (isBroken || hasOtherStatus) {
        const reason = isBroken ? 'answers that broke off' : 'answers to status queries whose payment statuses differ';
        this.#notCompared.add(`bodies of ${reason}`, source);
      }
      compareAnswers(sink, { recorded: recordedAnswer, sandbox: sandboxAnswer }, !isBroken && !hasOtherStatus);
    } else if (sandboxAnswer || (recordedAnswer && !sandbox.error?.startsWith(NOT_SENT))) {
      reportMissingAnswer(sink, { recorded, sandbox });
    } else {
      const reason = recordedAnswer ? `calls that were ${sandbox.error}` : 'calls that neither side answered';
      this.#notCompared.add(reason, source);
    }
  }

  /** `location`: the line of the notification, if it was recorded. */
  addNotification(side: SideName, notification: RecordedNotification, location?: ExchangeSource): void {
    const source = location ? { ...location, at: notification.at } : null;
    const status = statusIn(notification.body);
    const payment = this.#payments.findByNotification(side, notification);
    if (payment?.isOneSided) {
      this.#notCompared.add('notifications of a payment that may exist on only one side', source);
      return;
    }
    if (status !== undefined) {
      payment?.[side].recordNotification(status, parseInstant(notification.at));
    }
    const deliveries = payment?.deliveries ?? this.#deliveriesWithoutPayment(notification);
    deliveries.add(side, status ?? NO_STATUS, notification, source);
  }

  #deliveriesWithoutPayment({ body }: RecordedNotification): Deliveries {
    const key = String(Object.entries(membersIn(body)).find(([name]) => /reference$/i.test(name))?.[1] ?? '');
    const deliveries = this.#withoutPayment.get(key) ?? new Deliveries();
    this.#withoutPayment.set(key, deliveries);
    return deliveries;
  }

  finish(): ComparisonResult {
    const toleranceMs = (milliseconds: number) => this.#noise.toleranceMs(milliseconds);
    const comparison = { tally: this.#tally, notCompared: this.#notCompared, endTimes: this.#endTimes, toleranceMs };
    const matched = this.#payments.all.filter(({ isOneSided }) => !isOneSided);
    let notifications = 0;
    for (const payment of matched) {
      const { deliveries, channel, environment, source } = payment;
      const context: DriftContext = { part: 'payment', operation: null, channel, environment, status: null, source };
      const isExplained = compareStates(payment, { ...comparison, sink: this.#tally.sinkFor(context) });
      const startTimes = mapBoth(payment, ({ startedAt }) => startedAt);
      notifications += deliveries.compare({ subject: payment, startTimes, isExplained }, comparison);
    }
    const unknownSubject = { subject: UNKNOWN_SUBJECT, startTimes: this.#endTimes, isExplained: false };
    for (const deliveries of this.#withoutPayment.values()) {
      notifications += deliveries.compare(unknownSubject, comparison);
    }
    const { differences, comparedMembers: members } = this.#tally;
    const inOrder = PARTS.flatMap((part) => differences.filter((each) => each.part === part));
    return {
      compared: { exchanges: this.#exchanges, members, notifications, payments: matched.length },
      differences: inOrder.map((each, index) => ({ id: `D${index + 1}`, ...each, fixtures: [] })),
      noise: this.#noise.counts,
      notCompared: this.#notCompared.entries,
    };
  }
}

function reportedStatus({ answer }: RecordedCall, { operation }: DriftSubject): string | undefined {
  return operation === STATUS_QUERY && answer && answer.status < 400 ? statusIn(answer.body) : undefined;
}
