import type { DriftSource, RecordedNotification } from '../../base/schema/generated/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { compareBodies, compareHeaders } from './compare-answers.ts';
import type { NotComparedCounts } from './not-compared.ts';
import { isProofHeader, isSameProof, proofOf } from './proofs.ts';
import { type Both, type Context, type DriftSubject, NOTHING, type SideName } from './single-difference.ts';
import type { Tally } from './tally.ts';

/** A notification that one side sent, with all its attempts. */
interface Delivery {
  status: string;
  first: RecordedNotification;
  attempts: Instant[];
  /** Null if only the sandbox sent it. */
  source: DriftSource;
}

/** The payment that compared notifications are about. */
interface DeliverySubject {
  subject: DriftSubject;
  /** When the payment began; for an unknown payment, the ends of the observation. */
  began: Both<Instant>;
  /** Whether the states of the payment differ, because that explains a missing notification. */
  isExplained: boolean;
}

/** The receiver of differences, the ends of the observation, and the tolerance. */
export interface DeliveryComparison {
  tally: Tally;
  notCompared: NotComparedCounts;
  /** When the observation of each side ended. */
  ends: Both<Instant>;
  toleranceMs(milliseconds: number): number;
}

/** The notifications of both sides about one payment, by status in lower case. */
export class Deliveries implements Both<Map<string, Delivery>> {
  readonly recorded = new Map<string, Delivery>();
  readonly sandbox = new Map<string, Delivery>();

  add(side: SideName, status: string, notification: RecordedNotification, source: DriftSource): void {
    const at = parseInstant(notification.at);
    const existing = this[side].get(status.toLowerCase());
    if (existing) {
      existing.attempts.push(at);
    } else {
      this[side].set(status.toLowerCase(), { status, first: notification, attempts: [at], source });
    }
  }

  /** Compares the notifications and their attempts. Returns the number of those that both sides sent. */
  compare(about: DeliverySubject, parts: DeliveryComparison): number {
    let comparedCount = 0;
    for (const [status, recorded] of this.recorded) {
      const sandbox = this.sandbox.get(status);
      if (sandbox) {
        comparedCount += 1;
        compareDelivery({ recorded, sandbox }, about.subject, parts);
      } else {
        reportOneSided(recorded, 'recorded', about, parts);
      }
    }
    for (const [status, sandbox] of this.sandbox) {
      if (!this.recorded.has(status)) {
        reportOneSided(sandbox, 'sandbox', about, parts);
      }
    }
    return comparedCount;
  }
}

function compareDelivery(
  { recorded, sandbox }: Both<Delivery>,
  subject: DriftSubject,
  parts: DeliveryComparison,
): void {
  const sink = parts.tally.sinkFor(contextOf(recorded, subject));
  const [was, is] = [recorded.first, sandbox.first];
  const [proof, other] = [proofOf(was.headers), proofOf(is.headers)];
  sink.countCompared('signature');
  if (!isSameProof(proof, other)) {
    sink.report({ kind: 'signature', place: 'signature', recorded: proof, sandbox: other });
  }
  sink.countCompared('method');
  if (was.method !== is.method) {
    const side = (method: string) => ({ is: 'method', value: method });
    sink.report({ kind: 'method', place: 'method', recorded: side(was.method), sandbox: side(is.method) });
  }
  compareHeaders(sink, was.headers, is.headers, isProofHeader);
  compareBodies(sink, was.body, is.body);
  compareAttempts({ recorded, sandbox }, subject, parts);
}

function compareAttempts(
  { recorded, sandbox }: Both<Delivery>,
  subject: DriftSubject,
  { tally, ends, toleranceMs }: DeliveryComparison,
): void {
  const sink = tally.sinkFor(contextOf(recorded, subject));
  const [was, is] = [gapsIn(recorded.attempts), gapsIn(sandbox.attempts)];
  sink.countCompared('spacing');
  if (was.some((gap, index) => Math.abs((is[index] ?? gap) - gap) > toleranceMs(gap))) {
    const side = (gaps: number[]) => ({ is: 'milliseconds between attempts', value: gaps });
    sink.report({ kind: 'spacing', place: 'spacing', recorded: side(was), sandbox: side(is) });
  }
  // The side with fewer attempts may have sent more after its observation ended.
  const longest = Math.max(0, ...was, ...is);
  const shorter: SideName = was.length < is.length ? 'recorded' : 'sandbox';
  const last = (shorter === 'recorded' ? recorded : sandbox).attempts.at(-1) ?? 0;
  sink.countCompared('attempts');
  if (was.length !== is.length && ends[shorter] - last > 2 * longest + 1000) {
    const side = (gaps: number[]) => ({ is: 'number of attempts', value: gaps.length + 1 });
    sink.report({ kind: 'attempts', place: 'attempts', recorded: side(was), sandbox: side(is) });
  }
}

/** Reports a notification that only one side sent, unless that has another explanation. */
function reportOneSided(
  { status, attempts: [at = 0], source }: Delivery,
  side: SideName,
  { subject, began, isExplained }: DeliverySubject,
  { tally, notCompared, ends, toleranceMs }: DeliveryComparison,
): void {
  const other = side === 'recorded' ? 'sandbox' : 'recorded';
  const delayMs = at - began[side];
  if (isExplained) {
    notCompared.add('notifications of a payment whose states differ', source);
  } else if (delayMs + toleranceMs(delayMs) >= ends[other] - began[other]) {
    notCompared.add('notifications at the end, which the other side could have sent later', source);
  } else {
    const sink = tally.sinkFor(contextOf({ status, source }, subject));
    sink.countCompared(status);
    const nothing = { recorded: NOTHING, sandbox: NOTHING };
    sink.report({ kind: 'notification', place: status, ...nothing, [side]: { is: 'sent' } });
  }
}

function contextOf(
  { status, source }: Pick<Delivery, 'status' | 'source'>,
  { channel, environment }: DriftSubject,
): Context {
  return { part: 'notification', operation: null, channel, environment, status, source };
}

/** Milliseconds between attempts. */
function gapsIn(attempts: readonly Instant[]): number[] {
  return attempts.slice(1).map((at, index) => at - (attempts[index] ?? at));
}
