import { membersOf } from '../../base/members.ts';
import type {
  Difference,
  DriftSource,
  RecordedBody,
  RecordedCall,
  RecordedNotification,
} from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import { jsonOf, membersIn } from '../body.ts';
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

/** The payments of a recording, found by anything that either side calls them. */
export class Payments {
  readonly #byName = {
    recorded: new NamedPayments<Payment>(({ recorded }) => recorded.began),
    sandbox: new NamedPayments<Payment>(({ sandbox }) => sandbox.began),
  };
  readonly #all: Payment[] = [];

  get all(): readonly Payment[] {
    return this.#all;
  }

  /** Both sides took an initiation, or one of them did and the other refused it. Returns whether there is room to follow it. */
  begin(subject: Subject, recorded: RecordedCall, sandbox: RecordedCall): boolean {
    const reference = BEGINNING[subject.operation ?? ''];
    const calls = [recorded, sandbox];
    if (reference === undefined || !calls.some(isAccepted)) {
      return true;
    }
    if (this.#all.length >= MOST_PAYMENTS) {
      return false;
    }
    const isUnrecorded = whyUnrecorded(...calls) !== undefined;
    const isRefused = isUnrecorded || calls.some((call) => call.answer !== null && !isAccepted(call));
    const payment = paymentOf(subject, recorded, sandbox, { isRefused, isUnrecorded });
    this.#all.push(payment);
    this.#name(payment, 'recorded', recorded, reference);
    this.#name(payment, 'sandbox', sandbox, reference);
    return true;
  }

  #name(payment: Payment, side: SideName, call: RecordedCall, reference: string): void {
    const byName = this.#byName[side];
    for (const name of namesIn(call, reference)) {
      // What follows of a reference that was refused the second time is about the first payment.
      if (isAccepted(call) || !byName.has(name)) {
        byName.set(name, payment);
      }
    }
  }

  /** One recording alone has a call: what follows of its payment is in that one alone, too. */
  beginAlone(side: SideName, subject: Subject, call: RecordedCall): void {
    const reference = BEGINNING[subject.operation ?? ''];
    if (reference === undefined || this.#all.length >= MOST_PAYMENTS) {
      return;
    }
    const payment = paymentOf(subject, call, call, { isRefused: true, isUnrecorded: true });
    this.#all.push(payment);
    this.#name(payment, side, call, reference);
  }

  /** The payment that a call is about. */
  ofCall(side: SideName, call: RecordedCall): Payment | undefined {
    return this.#byName[side].find(namesAmong(sentLeavesOf(call)));
  }

  /** The payment that a notification is about. */
  ofNotification(side: SideName, { body, at }: RecordedNotification): Payment | undefined {
    return this.#byName[side].find(namesAmong(leavesOf(membersIn(body))), parseInstant(at));
  }
}

function paymentOf(
  subject: Subject,
  recorded: RecordedCall,
  sandbox: RecordedCall,
  known: Pick<Payment, 'isRefused' | 'isUnrecorded'>,
): Payment {
  return {
    ...subject,
    ...known,
    recorded: new States(parseInstant(recorded.at)),
    sandbox: new States(parseInstant(sandbox.at)),
    isUnanswered: [recorded, sandbox].some(({ answer }) => !answer),
    deliveries: new Deliveries(),
    sent: SentValues.apart(recorded, sandbox),
  };
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
  for (const { name, value } of sentLeavesOf(call)) {
    if (name === reference && (typeof value === 'string' || typeof value === 'number') && value !== '') {
      yield String(value);
    }
  }
  const answered = membersOf(jsonOf(call.answer?.body));
  const own = Object.fromEntries(Object.entries(answered).filter(([name]) => !OF_MERCHANT.includes(name)));
  for (const { name, value } of leavesOf(own)) {
    if (NAMING.test(name) && typeof value === 'string' && isName(value) && formatOf(value) !== 'JWT') {
      yield value;
    }
  }
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
