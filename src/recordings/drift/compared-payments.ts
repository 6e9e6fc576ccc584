import { membersOf } from '../../base/members.ts';
import type {
  DriftSource,
  RecordedBody,
  RecordedCall,
  RecordedNotification,
} from '../../base/schema/generated/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { jsonOf, membersIn } from '../body.ts';
import { type Leaf, leavesOf, sentLeavesOf } from '../leaves.ts';
import { Deliveries } from './deliveries.ts';
import type { Both, DriftSubject, SideName } from './single-difference.ts';
import { States } from './states.ts';
import { formatOf } from './value-formats.ts';

/** The operations that start a payment, payout or payment link, each with the member that contains the merchant's reference. */
const REFERENCE_MEMBERS: Readonly<Record<string, string>> = {
  initiatePayment: 'payerReference',
  initiateBulkPayment: 'payerReference',
  initiateBulkPayout: 'payerReference',
  requestPaymentTokenAndPay: 'payerReference',
  saveFastCheckout: 'paymentLinkReference',
};

/** A payment, payout or payment link that at least one side accepted. */
export interface ComparedPayment extends DriftSubject, Both<States> {
  source: DriftSource;
  /** Whether only one side is known to have accepted it. Then later calls about it cannot be compared. */
  isOneSided: boolean;
  deliveries: Deliveries;
}

/** Members that may identify a record, such as paymentId, but not amountPaid. */
const ID_MEMBERS = [/(?:^id|_id|code|token|ref|reference|number)$/i, /I[dD]$/];
/** Members of answers that contain the merchant's own ids. */
const MERCHANT_MEMBERS = ['auth', 'user'];
/** Members with a reference. The merchant's reference may be shorter than an id, such as "7". */
const REFERENCE = /reference$/i;
const MIN_ID_LENGTH = 3;

const isIdMember = (name: string) => ID_MEMBERS.some((each) => each.test(name));

/** The payments of a recording, found by any id that either side uses. */
export class ComparedPayments {
  readonly all: ComparedPayment[] = [];
  /** By id or reference. Several payments have the same one if a reference is reused. */
  readonly #byId = { recorded: new Map<string, ComparedPayment[]>(), sandbox: new Map<string, ComparedPayment[]>() };

  recordInitiation(
    subject: DriftSubject,
    source: DriftSource,
    { recorded, sandbox }: Both<RecordedCall>,
    isAnswerUnknown: boolean,
  ): void {
    const reference = REFERENCE_MEMBERS[subject.operation ?? ''];
    const calls = [recorded, sandbox];
    if (reference === undefined || !calls.some(isAccepted)) {
      return;
    }
    const { operation, channel, environment } = subject;
    const payment: ComparedPayment = {
      operation,
      channel,
      environment,
      source,
      recorded: new States(parseInstant(recorded.at)),
      sandbox: new States(parseInstant(sandbox.at)),
      isOneSided: isAnswerUnknown || !calls.every(isAccepted),
      deliveries: new Deliveries(),
    };
    this.all.push(payment);
    this.#addIds('recorded', recorded, reference, payment);
    this.#addIds('sandbox', sandbox, reference, payment);
  }

  #addIds(side: SideName, call: RecordedCall, reference: string, payment: ComparedPayment): void {
    for (const id of new Set(idsIn(call, reference))) {
      this.#byId[side].set(id, [...(this.#byId[side].get(id) ?? []), payment]);
    }
  }

  findByCall(side: SideName, call: RecordedCall): ComparedPayment | undefined {
    return this.#find(side, sentLeavesOf(call), parseInstant(call.at));
  }

  findByNotification(side: SideName, { body, at }: RecordedNotification): ComparedPayment | undefined {
    return this.#find(side, leavesOf(membersIn(body)), parseInstant(at));
  }

  /** The only payment with one of the ids. Otherwise, of those with the first known id, the last that had started by `at`, or the first. */
  #find(side: SideName, leaves: readonly Leaf[], at: Instant): ComparedPayment | undefined {
    const ids = leaves.filter(({ name, value }) => isIdMember(name) && (REFERENCE.test(name) || isId(value)));
    const matching = ids.flatMap(({ value }) => [this.#byId[side].get(String(value)) ?? []]);
    const [firstMatches] = matching.filter(({ length }) => length > 0);
    const onlyMatch = matching.find(({ length }) => length === 1) ?? [];
    return onlyMatch[0] ?? firstMatches?.findLast((payment) => payment[side].startedAt <= at) ?? firstMatches?.[0];
  }
}

export function isAccepted({ answer }: RecordedCall): boolean {
  return answer !== null && answer.status < 300;
}

export function statusIn(body: RecordedBody | undefined): string | undefined {
  const { status } = membersIn(body);
  return typeof status === 'string' ? status : undefined;
}

/** The merchant's reference in a call, and the ids in its answer, except tokens and the merchant's own ids. */
function* idsIn(call: RecordedCall, reference: string): Generator<string> {
  for (const { name, value } of sentLeavesOf(call)) {
    if (name === reference && value !== '') {
      yield String(value);
    }
  }
  const answerMembers = Object.entries(membersOf(jsonOf(call.answer?.body)));
  const paymentMembers = answerMembers.filter(([member]) => !MERCHANT_MEMBERS.includes(member));
  for (const { name, value } of leavesOf(Object.fromEntries(paymentMembers))) {
    if (isIdMember(name) && typeof value === 'string' && isId(value) && formatOf(value) !== 'JWT') {
      yield value;
    }
  }
}

function isId(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).length >= MIN_ID_LENGTH;
}
