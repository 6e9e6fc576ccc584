import { compareBodies, compareHeaders } from './compare-messages.ts';
import {
  type Both,
  type Deliveries,
  type Delivery,
  gapsIn,
  isProofHeader,
  isSameProof,
  proofOf,
} from './deliveries.ts';
import type { NoiseFilter } from './noise-rules.ts';
import type { NotComparedCounts } from './not-compared.ts';
import type { Subject } from './payments.ts';
import { type Context, NOTHING, type Sink } from './seen.ts';
import { type BothSent, NOTHING_SENT } from './sent-values.ts';
import type { Ends } from './sequences.ts';
import type { Tally } from './tally.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Where notifications belong, and what was sent before them. */
type Notified = Omit<Subject, 'source'> & { sent?: BothSent };

/** What the notifications are about that are compared. */
interface About {
  subject: Subject & Notified;
  ends: Ends;
  /** When the payment began; the ends where that is not known. */
  began: Ends;
  /** The states differ, which explains that a notification is missing. */
  isExplained: boolean;
}

/** Compares notifications: what they say and how they come. */
export class DeliveryComparison {
  /** Notifications of both sides. */
  compared = 0;
  readonly #tally: Tally;
  readonly #filter: NoiseFilter;
  readonly #notCompared: NotComparedCounts;
  readonly #vocabulary: Vocabulary;

  constructor(parts: { tally: Tally; filter: NoiseFilter; notCompared: NotComparedCounts; vocabulary: Vocabulary }) {
    this.#tally = parts.tally;
    this.#filter = parts.filter;
    this.#notCompared = parts.notCompared;
    this.#vocabulary = parts.vocabulary;
  }

  /** Compares the first attempts, and forgets them. */
  compareFirst(both: Both, subject: Notified): void {
    const [was, is] = [both.recorded.first, both.sandbox.first];
    if (was && is) {
      this.compared += 1;
      const sink = this.#compareManner(both, subject);
      compareBodies(sink, was.body, is.body, subject.sent ?? NOTHING_SENT);
      both.recorded.first = undefined;
      both.sandbox.first = undefined;
    }
  }

  /** How a notification comes, whatever it says. */
  #compareManner({ recorded, sandbox }: Both, subject: Omit<Subject, 'source'>): Sink {
    const sink = this.#tally.sinkFor(contextOf(recorded, subject));
    const [was, is] = [recorded.first, sandbox.first];
    if (!was || !is) {
      return sink;
    }
    const [proof, other] = [proofOf(was.headers), proofOf(is.headers)];
    sink.looked('signature');
    sink.looked('method');
    if (!isSameProof(proof, other)) {
      sink.saw({ kind: 'signature', place: 'signature', recorded: proof, sandbox: other });
    }
    if (was.method !== is.method) {
      const side = (method: string) => ({ is: 'method', value: method });
      sink.saw({ kind: 'method', place: 'method', recorded: side(was.method), sandbox: side(is.method) });
    }
    compareHeaders(sink, was.headers, is.headers, isProofHeader);
    return sink;
  }

  /** Compares what is known once all was sent. */
  close(deliveries: Deliveries, about: About): void {
    const { subject, ends } = about;
    const left = { recorded: [] as Delivery[], sandbox: [] as Delivery[] };
    for (const [status, recorded] of deliveries.recorded) {
      const both = deliveries.both(status);
      if (both) {
        this.#compareAttempts(both, subject, ends);
      } else {
        left.recorded.push(recorded);
      }
    }
    left.sandbox.push(
      ...[...deliveries.sandbox].flatMap(([status, each]) => (deliveries.recorded.has(status) ? [] : [each])),
    );
    for (const recorded of [...left.recorded]) {
      const sandbox = left.sandbox.find(({ status }) =>
        this.#vocabulary.isRenamed({ from: recorded.status, to: status }),
      );
      if (sandbox) {
        this.compareFirst({ recorded, sandbox }, subject);
        this.#compareAttempts({ recorded, sandbox }, subject, ends);
        left.recorded.splice(left.recorded.indexOf(recorded), 1);
        left.sandbox.splice(left.sandbox.indexOf(sandbox), 1);
      }
    }
    for (const [index, recorded] of left.recorded.entries()) {
      const sandbox = left.sandbox[index];
      if (sandbox) {
        this.#compareManner({ recorded, sandbox }, subject);
        this.#compareAttempts({ recorded, sandbox }, subject, ends);
      }
    }
    for (const side of ['recorded', 'sandbox'] as const) {
      for (const delivery of left[side]) {
        this.#alone(delivery, side, about);
      }
    }
  }

  /** Only one side sent it. */
  #alone(
    { status, attempts: [at = 0], source }: Delivery,
    side: 'recorded' | 'sandbox',
    { subject, ends, began, isExplained }: About,
  ): void {
    const from = source ?? subject.source;
    const other = side === 'recorded' ? 'sandbox' : 'recorded';
    const sink = this.#tally.sinkFor(contextOf({ status, source: from }, subject));
    if (isExplained) {
      const reason = 'notifications of a payment whose states differ';
      this.#notCompared.because(['sequence', 'delay'], subject, reason, from);
    } else if (at - began[side] + this.#filter.tolerance('delay', at - began[side]) >= ends[other] - began[other]) {
      this.#notCompared.add('notifications that came when the other side was about to end', from);
    } else {
      sink.looked(status);
      const sent = { is: 'sent' };
      sink.saw({
        kind: 'notification',
        place: status,
        recorded: side === 'recorded' ? sent : NOTHING,
        sandbox: side === 'recorded' ? NOTHING : sent,
      });
    }
  }

  #compareAttempts({ recorded, sandbox }: Both, subject: Subject, ends: Ends): void {
    const sink = this.#tally.sinkFor(contextOf(recorded, subject));
    const [was, is] = [gapsIn(recorded.attempts), gapsIn(sandbox.attempts)];
    sink.looked('attempts');
    sink.looked('spacing');
    if (was.some((gap, index) => this.#isFar(gap, is[index] ?? gap))) {
      const side = (gaps: number[]) => ({ is: 'milliseconds between attempts', value: gaps });
      sink.saw({ kind: 'spacing', place: 'spacing', recorded: side(was), sandbox: side(is) });
    }
    // A side that was not looked at for long enough may have gone on.
    const longest = Math.max(0, ...was, ...is);
    const hasStopped = (attempts: readonly number[], end: number) =>
      end - (attempts.at(-1) ?? end) > 2 * longest + 1000;
    const isProven =
      was.length < is.length
        ? hasStopped(recorded.attempts, ends.recorded)
        : hasStopped(sandbox.attempts, ends.sandbox);
    if (was.length !== is.length && isProven) {
      const side = (gaps: number[]) => ({ is: 'number of attempts', value: gaps.length + 1 });
      sink.saw({ kind: 'attempts', place: 'attempts', recorded: side(was), sandbox: side(is) });
    }
  }

  #isFar(recorded: number, sandbox: number): boolean {
    const isFar = Math.abs(sandbox - recorded) > this.#filter.tolerance('spacing', recorded);
    if (!isFar && sandbox !== recorded) {
      this.#filter.tolerated('spacing');
    }
    return isFar;
  }
}

function contextOf({ status, source }: Pick<Delivery, 'status' | 'source'>, subject: Omit<Subject, 'source'>): Context {
  const { channel, environment } = subject;
  return { part: 'notification', operation: null, channel, environment, status, source };
}
