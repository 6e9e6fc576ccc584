import { membersOf } from '../../base/members.ts';
import type {
  Difference,
  DriftSource,
  RecordedBody,
  RecordedCall,
  RecordedNotification,
} from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import { headerOf, jsonOf, membersIn } from '../body.ts';
import { type Leaf, leavesOf, sentLeavesOf } from '../leaves.ts';
import { Deliveries } from './deliveries.ts';
import { formatOf } from './formats.ts';
import { NamedPayments } from './named-payments.ts';
import type { SideName } from './seen.ts';
import { type BothSent, SentValues } from './sent-values.ts';
import { States } from './states.ts';
import { whyUnrecorded } from './unrecorded.ts';

/** The operations that begin what notifications tell of, each with the member by which the merchant knows it. */
const BEGINNING: Readonly<Record<string, string>> = {
  initiatePayment: 'payerReference',
  initiateBulkPayment: 'payerReference',
  initiateBulkPayout: 'payerReference',
  requestPaymentTokenAndPay: 'payerReference',
  saveFastCheckout: 'paymentLinkReference',
};
/** The operation that asks for a status. */
export const QUERY = 'getPaymentStatus';

/** Payments that are followed: what is kept of each is small, but not nothing. */
const MOST_PAYMENTS = 100_000;

/** Where a payment belongs. */
export interface Subject extends Pick<Difference, 'operation' | 'channel' | 'environment'> {
  source: DriftSource;
}

/** What is known of a payment on both sides. */
export interface Payment extends Subject {
  recorded: States;
  sandbox: States;
  /** One side alone took it, as far as is known: what follows cannot be compared. */
  isRefused: boolean;
  /** Nobody knows whether the other side would have taken it. */
  isUnrecorded: boolean;
  /** One side gave no answer. It may have taken it all the same. */
  isUnanswered: boolean;
  /** An initiation with its reference was not answered before: which of them began it on that side, nobody knows. */
  isRetry: boolean;
  /** Another payment has its reference, and perhaps on one side alone. */
  isAmbiguous: boolean;
  /** What each side calls it in its answer, and it alone. */
  ids: Readonly<Record<SideName, string>>;
  deliveries: Deliveries;
  /** What its initiations sent, which notifications may repeat. */
  sent: BothSent;
}

/** A member by which something is found again, such as paymentId, but not what stands for the merchant. */
const NAMING = /(?:^id|Id|_id|code|token|ref|reference|number)$/i;
const OF_MERCHANT = ['auth', 'user'];
/** The merchant's own, which may be as short as 7. */
const REFERENCE = /reference$/i;
const SHORTEST_NAME = 3;
/** A member by which a service tells what it has begun. */
const OWN_ID = /^(?:id|(?:payment|transaction|payout)(?:Id|Code|Number))$/;

/** Whether each side answered an initiation with the payment that it had begun for the same reference before. */
export type Repetition = Readonly<Record<SideName, boolean>>;

/** What became of an initiation. */
interface Begun {
  /** Undefined where nothing was begun for its reference before, or one side does not tell. */
  again: Repetition | undefined;
  /** Whether there was room to follow it. */
  hasRoom: boolean;
}

/** The payments of a recording, found by anything that either side calls them. */
export class Payments {
  readonly #byName = {
    recorded: new NamedPayments<Payment>(({ recorded }) => recorded.began),
    sandbox: new NamedPayments<Payment>(({ sandbox }) => sandbox.began),
  };
  readonly #all: Payment[] = [];
  /** Where several payments have one reference: by the id of a notification, which its attempts have in common. */
  readonly #notified = { recorded: new Map<string, Payment>(), sandbox: new Map<string, Payment>() };

  get all(): readonly Payment[] {
    return this.#all;
  }

  /** Both sides took an initiation, or one of them did and the other refused it. */
  begin(subject: Subject, recorded: RecordedCall, sandbox: RecordedCall): Begun {
    const reference = BEGINNING[subject.operation ?? ''];
    const calls = [recorded, sandbox];
    if (reference === undefined || !calls.some(isAccepted)) {
      return { again: undefined, hasRoom: true };
    }
    const before = {
      recorded: this.#byName.recorded.find(referencesIn(recorded, reference)),
      sandbox: this.#byName.sandbox.find(referencesIn(sandbox, reference)),
    };
    const ids = { recorded: ownIdsIn(recorded), sandbox: ownIdsIn(sandbox) };
    const again = repetitionOf(before, ids, calls.every(isAccepted));
    if (again?.recorded && again.sandbox) {
      return { again, hasRoom: true };
    }
    if (this.#all.length >= MOST_PAYMENTS) {
      return { again, hasRoom: false };
    }
    const isUnrecorded = whyUnrecorded(...calls) !== undefined;
    const isRefused =
      isUnrecorded ||
      again?.recorded !== again?.sandbox ||
      calls.some((call) => call.answer !== null && !isAccepted(call));
    const earlier = Object.values(before).filter((each) => each !== undefined);
    const isRetry = earlier.some((each) => each.isUnanswered);
    const payment = paymentOf(subject, recorded, sandbox, { isRefused, isUnrecorded, isRetry, ids });
    if (isRefused || isRetry) {
      for (const each of [...earlier, payment]) {
        each.isAmbiguous = true;
      }
    }
    this.#all.push(payment);
    this.#name(payment, 'recorded', recorded, { reference, isNew: isAccepted(recorded) && !again?.recorded });
    this.#name(payment, 'sandbox', sandbox, { reference, isNew: isAccepted(sandbox) && !again?.sandbox });
    return { again, hasRoom: true };
  }

  /** What follows of a reference that began nothing the second time is about the first payment. */
  #name(
    payment: Payment,
    side: SideName,
    call: RecordedCall,
    { reference, isNew }: { reference: string; isNew: boolean },
  ): void {
    const byName = this.#byName[side];
    for (const name of namesIn(call, reference)) {
      if (isNew || !byName.has(name)) {
        byName.set(name, payment);
      }
    }
  }

  /** The payment that a call is about. */
  ofCall(side: SideName, call: RecordedCall): Payment | undefined {
    return this.#byName[side].find(namesAmong(sentLeavesOf(call)));
  }

  /** The payment that a notification is about. `told`: the status that it tells. */
  ofNotification(side: SideName, { body, at, headers }: RecordedNotification, told: string): Payment | undefined {
    const find = (isLikely?: (payment: Payment) => boolean) =>
      this.#byName[side].find(namesAmong(leavesOf(membersIn(body))), parseInstant(at), isLikely);
    const found = find();
    if (!found?.isAmbiguous) {
      return found;
    }
    const id = headerOf(headers, 'webhook-id') ?? '';
    const notified = this.#notified[side];
    // Of payments with one reference, the one that both sides have is told of first.
    const payment =
      notified.get(id) ?? find(({ isRefused, deliveries }) => !isRefused && !deliveries.isTold(side, told));
    if (payment && id !== '' && notified.size < MOST_PAYMENTS) {
      notified.set(id, payment);
    }
    return payment;
  }
}

function paymentOf(
  subject: Subject,
  recorded: RecordedCall,
  sandbox: RecordedCall,
  known: Pick<Payment, 'isRefused' | 'isUnrecorded' | 'isRetry' | 'ids'>,
): Payment {
  return {
    ...subject,
    ...known,
    recorded: new States(parseInstant(recorded.at)),
    sandbox: new States(parseInstant(sandbox.at)),
    isUnanswered: [recorded, sandbox].some(({ answer }) => !answer),
    isAmbiguous: false,
    deliveries: new Deliveries(),
    sent: SentValues.apart(recorded, sandbox),
  };
}

function repetitionOf(
  before: Readonly<Record<SideName, Payment | undefined>>,
  ids: Payment['ids'],
  areAccepted: boolean,
): Repetition | undefined {
  const known = { recorded: before.recorded?.ids.recorded ?? '', sandbox: before.sandbox?.ids.sandbox ?? '' };
  const isTold = areAccepted && ![...Object.values(ids), ...Object.values(known)].includes('');
  return isTold ? { recorded: known.recorded === ids.recorded, sandbox: known.sandbox === ids.sandbox } : undefined;
}

export function isAccepted({ answer }: RecordedCall): boolean {
  return answer !== null && answer.status < 300;
}

/** The status word that an answer to a status query tells. */
export function toldBy(operation: string | null, { answer }: RecordedCall): string | undefined {
  return operation === QUERY && answer !== null && answer.status < 400 ? statusIn(answer.body) : undefined;
}

export function statusIn(body: RecordedBody): string | undefined {
  const { status } = membersIn(body);
  return typeof status === 'string' ? status : undefined;
}

function* namesIn(call: RecordedCall, reference: string): Generator<string> {
  yield* referencesIn(call, reference);
  for (const { name, value } of answeredLeavesOf(call)) {
    if (NAMING.test(name) && typeof value === 'string' && isName(value) && formatOf(value) !== 'JWT') {
      yield value;
    }
  }
}

function* referencesIn(call: RecordedCall, reference: string): Generator<string> {
  for (const { name, value } of sentLeavesOf(call)) {
    if (name === reference && (typeof value === 'string' || typeof value === 'number') && value !== '') {
      yield String(value);
    }
  }
}

/** What an answer tells, but for what it tells of the merchant. */
function answeredLeavesOf({ answer }: RecordedCall): Iterable<Leaf> {
  const answered = membersOf(jsonOf(answer?.body));
  return leavesOf(Object.fromEntries(Object.entries(answered).filter(([name]) => !OF_MERCHANT.includes(name))));
}

/** The ids that an answer tells and the call did not send; empty where there are none. */
function ownIdsIn(call: RecordedCall): string {
  const ids = [...answeredLeavesOf(call)].filter(({ name, value }) => OWN_ID.test(name) && isName(value));
  if (ids.length === 0) {
    return '';
  }
  const sent = new Set([...sentLeavesOf(call)].map(({ value }) => String(value)));
  return ids.flatMap(({ name, value }) => (sent.has(String(value)) ? [] : [`${name} ${value}`])).join();
}

/** By which payments may be found. */
function* namesAmong(leaves: Iterable<Leaf>): Generator<string> {
  for (const { name, value } of leaves) {
    if (NAMING.test(name) && (REFERENCE.test(name) || isName(value))) {
      yield String(value);
    }
  }
}

/** Whether one side alone knows of a payment which the other one gave no answer about. */
export function isLost({ isUnanswered, recorded, sandbox }: Payment): boolean {
  return isUnanswered && (recorded.all.length === 0) !== (sandbox.all.length === 0);
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).length >= SHORTEST_NAME;
}
