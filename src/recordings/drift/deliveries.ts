import type { DriftSource, RecordedHeaders, RecordedNotification } from '../../base/schema/recordings.ts';
import { type Instant, parseInstant } from '../../base/time.ts';
import { formatOf } from './formats.ts';
import type { SeenSide, SideName } from './seen.ts';

/** Times of attempts that are kept of one notification. */
const MOST_ATTEMPTS = 100;

/** A notification that one side sent, with all its attempts. */
export interface Delivery {
  status: string;
  /** The first attempt, until it was compared. */
  first: RecordedNotification | undefined;
  attempts: Instant[];
  /** Of a recorded one. */
  source: DriftSource;
}

/** What both sides sent about one payment, by status word in small letters, in the order of the first attempts. */
export class Deliveries {
  readonly recorded = new Map<string, Delivery>();
  readonly sandbox = new Map<string, Delivery>();

  /** Returns both sides' once the second one is there. */
  add(side: SideName, status: string, notification: RecordedNotification, source: DriftSource): Both | undefined {
    const at = parseInstant(notification.at);
    const key = status.toLowerCase();
    const known = this[side].get(key);
    if (known) {
      if (known.attempts.length < MOST_ATTEMPTS) {
        known.attempts.push(at);
      }
      return undefined;
    }
    this[side].set(key, { status, first: notification, attempts: [at], source });
    return this.both(key);
  }

  isTold(side: SideName, status: string): boolean {
    return this[side].has(status.toLowerCase());
  }

  both(status: string): Both | undefined {
    const [recorded, sandbox] = [this.recorded.get(status), this.sandbox.get(status)];
    return recorded && sandbox && { recorded, sandbox };
  }
}

/** The same notification of both sides. */
export interface Both {
  recorded: Delivery;
  sandbox: Delivery;
}

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const OF_PROOF = /signature|hash|hmac|digest/i;

/** Whether a header belongs to the proof that a notification is genuine, which is compared as one. */
export function isProofHeader(name: string): boolean {
  return STANDARD.includes(name) || OF_PROOF.test(name);
}

/** How a notification is signed. */
export function proofOf(headers: RecordedHeaders): SeenSide {
  const names = headers.map(({ name }) => name.toLowerCase());
  if (STANDARD.every((name) => names.includes(name))) {
    return { is: 'Standard Webhooks' };
  }
  const proof = headers.find(({ name }) => OF_PROOF.test(name));
  return proof ? { is: `header ${proof.name.toLowerCase()}`, value: formatOf(proof.value) } : { is: 'no signature' };
}

/** Of a masked proof only the header is known. */
export function isSameProof(one: SeenSide, other: SeenSide): boolean {
  return one.is === other.is && (one.value === other.value || [one.value, other.value].includes('masked'));
}

/** Milliseconds between attempts. */
export function gapsIn(attempts: readonly Instant[]): number[] {
  return attempts.slice(1).map((at, index) => at - (attempts[index] ?? at));
}
