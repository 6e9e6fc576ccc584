import type { RecordedNotification } from '../../base/schema/recordings.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { jsonOf } from '../body.ts';
import type { ComparedCall } from '../drift/answer-comparison.ts';
import { proofOf } from '../drift/deliveries.ts';
import { toldBy } from '../drift/payments.ts';
import { whyUnrecorded } from '../drift/unrecorded.ts';
import { leavesOf, sentLeavesOf } from '../leaves.ts';
import type { Place } from '../recording.ts';
import { type Group, ObservedAnswers } from './answers.ts';
import { Disagreements } from './disagreements.ts';
import { ObservedPayments, referenceIn } from './payments.ts';
import { ObservedRefusals } from './refusals.ts';
import { Votes, votesIn } from './votes.ts';

/** Calls without an answer that are kept in mind. */
const MOST_UNANSWERED = 10_000;
const OFFSET = /^\d{4}-\d\d-\d\dT.*([+-]\d\d:\d\d)$/;

/** How the calls of one operation and channel ended. */
export interface Endings extends Group {
  /** The recorded HTTP status; null where there was no answer. */
  recorded: Votes<number | null>;
  /** Whether the sandbox took all of them. */
  isTaken: boolean;
  /** Whether a call has no answer for a reason that is not the service's. */
  isCut: boolean;
  /** Whether the service knew afterwards of what it had not answered. */
  isKnown: boolean;
}

/** What a recording shows that a fixture can say, gathered while it is compared: counts, and a little of each payment. */
export class Observations {
  readonly answers: ObservedAnswers;
  readonly payments = new ObservedPayments();
  readonly disagreements = new Disagreements();
  readonly refusals = new ObservedRefusals();
  readonly endings = new Map<string, Endings>();
  readonly methods = new Votes<string>();
  readonly proofs = new Votes<ReturnType<typeof proofOf>>();
  /** By reference: calls that were not answered. */
  readonly #unanswered = new Map<string, Endings>();
  /** Offsets of timestamps, by the member that holds them. */
  readonly offsets = new Map<string, Votes<string>>();

  constructor(fixtures: Fixtures) {
    this.answers = new ObservedAnswers(fixtures);
  }

  call(call: ComparedCall): void {
    const { exchange, file, line } = call.recorded;
    const source = { file, line, at: exchange.at };
    if (whyUnrecorded(exchange) !== undefined) {
      this.#addEnding(call, source);
      return;
    }
    this.answers.add(call, source);
    this.payments.call(call, source);
    this.disagreements.add(call, exchange);
    this.#addEnding(call, source);
    this.#addOffsets(exchange.answer, source);
    this.refusals.add(call, source);
  }

  notification(notification: RecordedNotification, place: Place): void {
    const source = { ...place, at: notification.at };
    this.payments.notification(notification, source);
    this.methods.add(notification.method, source);
    this.proofs.add(proofOf(notification.headers), source);
    this.#addOffsets(notification, source);
  }

  #addEnding(call: ComparedCall, source: { file: string; line: number; at: string }): void {
    const { recorded, replayed, operation, channel, environment } = call;
    if (operation === null) {
      return;
    }
    const key = JSON.stringify([operation, channel, environment]);
    const known = this.endings.get(key);
    const group = { operation, channel, environment };
    const endings = known ?? {
      ...group,
      recorded: new Votes<number | null>(),
      isTaken: true,
      isCut: false,
      isKnown: false,
    };
    this.endings.set(key, endings);
    endings.recorded.add(recorded.exchange.answer?.status ?? null, source);
    endings.isCut ||= whyUnrecorded(recorded.exchange) !== undefined;
    endings.isTaken &&= replayed.answer !== null && replayed.answer.status < 400;
    this.#learnKnown(call, endings);
  }

  #learnKnown({ operation, recorded: { exchange } }: ComparedCall, endings: Endings): void {
    if (toldBy(operation, exchange) !== undefined) {
      for (const { value } of sentLeavesOf(exchange)) {
        const asked = this.#unanswered.get(String(value));
        if (asked) {
          asked.isKnown = true;
        }
      }
      return;
    }
    const reference = referenceIn(exchange);
    if (exchange.answer === null && reference !== '' && this.#unanswered.size < MOST_UNANSWERED) {
      this.#unanswered.set(reference, endings);
    }
  }

  #addOffsets(message: Pick<RecordedNotification, 'body'> | null, source: Parameters<Votes<string>['add']>[1]): void {
    const body = message?.body;
    for (const { name, value } of leavesOf(jsonOf(body))) {
      const offset = typeof value === 'string' && /Date|Expiry/.test(name) ? OFFSET.exec(value)?.[1] : undefined;
      if (offset !== undefined) {
        votesIn(this.offsets, name).add(offset, source);
      }
    }
  }
}
