import type { DriftSource, RecordedNotification } from '../../base/schema/generated/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { compareBodies, compareHeaders } from './compare-answers.ts';
import type { NotComparedCounts } from './not-compared.ts';
import { isSameSignature, isSignatureHeader, signatureOf } from './signatures.ts';
import { type Both, type DriftSubject, mapBoth, NOTHING, type SideName } from './single-difference.ts';
import type { Tally } from './tally.ts';

/** A notification that one side sent, with all its attempts. */
interface Delivery {
  status: string;
  first: RecordedNotification;
  attempts: Instant[];
  /** Null if the sandbox sent it. */
  source: DriftSource;
}

/** The payment of the compared notifications. */
interface DeliverySubject {
  subject: DriftSubject;
  /** When the payment started. For an unknown payment, the observation's end: a notification just before it is not reported as missing. */
  startTimes: Both<Instant>;
  /** Whether the states of the payment or their times differ, which explains a missing notification. */
  isExplained: boolean;
}

/** The parts of a comparison that all its deliveries use. */
export interface ComparisonParts {
  tally: Tally;
  notCompared: NotComparedCounts;
  /** When the observation of each side ended. */
  endTimes: Both<Instant>;
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

  /** Returns the number of notifications that both sides sent. */
  compare(deliverySubject: DeliverySubject, comparison: ComparisonParts): number {
    let comparedCount = 0;
    for (const [status, recorded] of this.recorded) {
      const sandbox = this.sandbox.get(status);
      if (sandbox) {
        comparedCount += 1;
        compareDelivery({ recorded, sandbox }, deliverySubject.subject, comparison);
      } else {
        reportOneSided(recorded, 'recorded', deliverySubject, comparison);
      }
    }
    for (const [status, sandbox] of this.sandbox) {
      if (!this.recorded.has(status)) {
        reportOneSided(sandbox, 'sandbox', deliverySubject, comparison);
      }
    }
    return comparedCount;
  }
}

function compareDelivery(deliveries: Both<Delivery>, subject: DriftSubject, comparison: ComparisonParts): void {
  const sink = comparison.tally.sinkFor(contextOf(deliveries.recorded, subject));
  const { recorded, sandbox } = mapBoth(deliveries, ({ first }) => first);
  const signatures = mapBoth(deliveries, ({ first }) => signatureOf(first.headers));
  sink.countCompared('signature');
  if (!isSameSignature(signatures.recorded, signatures.sandbox)) {
    sink.report({ kind: 'signature', place: 'signature', ...signatures });
  }
  sink.countCompared('method');
  if (recorded.method !== sandbox.method) {
    const methods = mapBoth({ recorded, sandbox }, ({ method }) => ({ is: 'method', value: method }));
    sink.report({ kind: 'method', place: 'method', ...methods });
  }
  compareHeaders(sink, recorded.headers, sandbox.headers, isSignatureHeader);
  compareBodies(sink, recorded.body, sandbox.body);
  compareAttempts(deliveries, subject, comparison);
}

function compareAttempts(
  deliveries: Both<Delivery>,
  subject: DriftSubject,
  { tally, endTimes, toleranceMs }: ComparisonParts,
): void {
  const sink = tally.sinkFor(contextOf(deliveries.recorded, subject));
  const gaps = mapBoth(deliveries, ({ attempts }) => gapsIn(attempts));
  const { recorded, sandbox } = gaps;
  sink.countCompared('spacing');
  if (recorded.some((gap, index) => Math.abs((sandbox[index] ?? gap) - gap) > toleranceMs(gap))) {
    const sides = mapBoth(gaps, (value) => ({ is: 'milliseconds between attempts', value }));
    sink.report({ kind: 'spacing', place: 'spacing', ...sides });
  }
  // The side with fewer attempts may have sent more after its observation ended, because gaps can grow.
  const longestGap = Math.max(0, ...recorded, ...sandbox);
  const shorterSide: SideName = recorded.length < sandbox.length ? 'recorded' : 'sandbox';
  const lastAttempt = deliveries[shorterSide].attempts.at(-1) ?? 0;
  sink.countCompared('attempts');
  if (recorded.length !== sandbox.length && endTimes[shorterSide] - lastAttempt > 2 * longestGap + 1000) {
    const sides = mapBoth(gaps, ({ length }) => ({ is: 'number of attempts', value: length + 1 }));
    sink.report({ kind: 'attempts', place: 'attempts', ...sides });
  }
}

function reportOneSided(
  { status, attempts: [at = 0], source }: Delivery,
  side: SideName,
  { subject, startTimes, isExplained }: DeliverySubject,
  { tally, notCompared, endTimes, toleranceMs }: ComparisonParts,
): void {
  const otherSide = side === 'recorded' ? 'sandbox' : 'recorded';
  const delayMs = at - startTimes[side];
  if (isExplained) {
    notCompared.add('notifications of a payment whose states differ', source);
  } else if (delayMs + toleranceMs(delayMs) >= endTimes[otherSide] - startTimes[otherSide]) {
    notCompared.add('notifications at the end, which the other side could have sent later', source);
  } else {
    const sink = tally.sinkFor(contextOf({ status, source }, subject));
    sink.countCompared(status);
    const nothing = { recorded: NOTHING, sandbox: NOTHING };
    sink.report({ kind: 'notification', place: status, ...nothing, [side]: { is: 'sent' } });
  }
}

function contextOf({ status, source }: Pick<Delivery, 'status' | 'source'>, { channel, environment }: DriftSubject) {
  return { part: 'notification' as const, operation: null, channel, environment, status, source };
}

/** Milliseconds between attempts. */
function gapsIn(attempts: readonly Instant[]): number[] {
  return attempts.slice(1).map((at, index) => at - (attempts[index] ?? at));
}
