import { membersOf } from '../../base/members.ts';
import type { RecordedBody, RecordedNotification } from '../../base/schema/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { jsonOf } from '../body.ts';
import type { ComparedCall } from '../drift/answer-comparison.ts';
import { NamedPayments } from '../drift/named-payments.ts';
import { isAccepted, statusIn, toldBy } from '../drift/payments.ts';
import { type Leaf, leavesOf, sentLeavesOf } from '../leaves.ts';
import { type Group, INITIATIONS } from './answers.ts';
import type { Source } from './votes.ts';

/** Operations whose payments a rule of a scenario can settle. */
const OPERATIONS = [...INITIATIONS, 'initiateBulkPayout'];
const NAMES = ['payerReference', 'paymentReference', 'transactionReference', 'paymentId', 'paymentCode'];
const MOST_PAYMENTS = 100_000;
/** Answers and attempts that are kept of each payment. */
const MOST_KEPT = 50;

/** A notification with its attempts. */
export interface ObservedDelivery {
  attempts: { at: Instant; isTaken: boolean }[];
  source: Source;
}

/** What a recording shows of a payment. */
export interface ObservedPayment extends Group {
  /** As the sandbox gets it. */
  reference: string;
  source: Source;
  began: Instant;
  /** What status queries told. */
  told: { word: string; at: Instant }[];
  /** By status word. */
  deliveries: Map<string, ObservedDelivery>;
  /** By status word. */
  descriptions: Map<string, string>;
}

/** Gathers what became of payments. */
export class ObservedPayments {
  readonly #byName = new NamedPayments<ObservedPayment>(({ began }) => began);
  readonly all: ObservedPayment[] = [];
  /** References of calls that were not answered: whether they began a payment, nobody knows. */
  readonly #unanswered = new Set<string>();

  call(call: ComparedCall, source: Source): void {
    const { recorded, replayed, operation } = call;
    const word = toldBy(operation, recorded.exchange);
    const at = parseInstant(recorded.exchange.at);
    if (word !== undefined) {
      const payment = this.#byName.find(namesAmong(sentLeavesOf(recorded.exchange)));
      keep(payment?.told ?? [], { word, at });
      describe(payment, word, recorded.exchange.answer?.body ?? null);
      return;
    }
    if (recorded.exchange.answer === null && this.#unanswered.size < MOST_PAYMENTS) {
      this.#unanswered.add(referenceIn(replayed));
    }
    const isTaken = [recorded.exchange, replayed].every(isAccepted);
    if (isTaken && operation !== null && OPERATIONS.includes(operation) && this.all.length < MOST_PAYMENTS) {
      this.#begin({ ...call, operation }, at, source);
    }
  }

  notification(notification: RecordedNotification, source: Source): void {
    const word = statusIn(notification.body);
    const body = jsonOf(notification.body);
    const payment = this.#byName.find(namesAmong(leavesOf(body)), parseInstant(notification.at));
    if (word === undefined || !payment) {
      return;
    }
    const delivery = payment.deliveries.get(word) ?? { attempts: [], source };
    payment.deliveries.set(word, delivery);
    const status = notification.answer?.status ?? 0;
    keep(delivery.attempts, { at: parseInstant(notification.at), isTaken: status >= 200 && status < 300 });
    describe(payment, word, notification.body);
  }

  #begin(call: ComparedCall & { operation: string }, began: Instant, source: Source): void {
    const { recorded, replayed, operation, channel, environment } = call;
    const reference = referenceIn(replayed);
    if (this.#unanswered.delete(reference)) {
      return;
    }
    const payment: ObservedPayment = {
      operation,
      channel,
      environment,
      reference,
      source,
      began,
      told: [],
      deliveries: new Map(),
      descriptions: new Map(),
    };
    this.all.push(payment);
    const answered = leavesOf(jsonOf(recorded.exchange.answer?.body ?? null));
    for (const { name, value } of [...answered, { name: 'payerReference', value: referenceIn(recorded.exchange) }]) {
      if (NAMES.includes(name) && typeof value === 'string' && value !== '') {
        this.#byName.set(value, payment);
      }
    }
  }
}

function* namesAmong(leaves: Iterable<Leaf>): Generator<string> {
  for (const { name, value } of leaves) {
    if (NAMES.includes(name)) {
      yield String(value);
    }
  }
}

function keep<Item>(list: Item[], item: Item): void {
  if (list.length < MOST_KEPT) {
    list.push(item);
  }
}

function describe(payment: ObservedPayment | undefined, word: string, body: RecordedBody): void {
  const { description } = membersOf(jsonOf(body));
  if (typeof description === 'string') {
    payment?.descriptions.set(word, description);
  }
}

/** The merchant's own name for a payment; empty where a call has none. */
export function referenceIn(call: Parameters<typeof sentLeavesOf>[0]): string {
  return String([...sentLeavesOf(call)].find(({ name }) => name === 'payerReference')?.value ?? '');
}

/** How a payment ended, in milliseconds from when it began. */
export interface Settled {
  word: string;
  /** It was reached between these; the same where a notification came at once. */
  from: number;
  to: number;
  /** How much later than the notification the status query knew it: more than `least`, at most `most`. */
  lag: Span | null;
  /** How much later than the status query the notification came. */
  delay: Span | null;
}

export interface Span {
  least: number;
  most: number;
}

/** Every status that a payment had, as far as anybody was told. */
export function wordsOf({ told, deliveries }: ObservedPayment): string[] {
  return [...new Set([...told.map(({ word }) => word), ...deliveries.keys()])];
}

/**
 * Undefined where the payment was not seen to end when the recording did. `isEnd`: whether a status is an outcome of a payment; what
 * came later, such as a refund, is not looked at.
 */
export function settledOf(
  { began, told, deliveries }: ObservedPayment,
  isEnd: (word: string) => boolean,
): Settled | undefined {
  const notified = [...deliveries].map(([word, { attempts }]) => ({ word, at: attempts[0]?.at ?? began }));
  const last = notified.sort((one, other) => one.at - other.at).findLast((each) => isEnd(each.word));
  const word = last?.word ?? told.findLast((each) => isEnd(each.word))?.word;
  if (word === undefined) {
    return undefined;
  }
  const first = last?.at;
  const seen = told.find((each) => each.word === word)?.at;
  const before = told.filter((each) => each.word !== word && each.at < (seen ?? Number.POSITIVE_INFINITY));
  const waited = before.at(-1)?.at ?? began;
  if (first !== undefined && first <= (seen ?? first)) {
    const most = seen === undefined ? Number.POSITIVE_INFINITY : seen - first;
    const delay = { least: 0, most: Math.max(0, first - waited) };
    return { word, from: first - began, to: first - began, lag: { least: waited - first, most }, delay };
  }
  const until = seen ?? waited;
  const delay = first === undefined ? null : { least: first - until, most: first - waited };
  return { word, from: waited - began, to: until - began, lag: null, delay };
}
