import type { Difference, DifferenceKind, DriftSource } from '../../base/schema/recordings.ts';

export type SideName = 'recorded' | 'sandbox';

/** What each side has. */
export type Both<Value> = Readonly<Record<SideName, Value>>;

/** What one side had at a place. */
export interface SeenSide {
  /** Its type or format; null where there is nothing. */
  is: string | null;
  /** Left out where there is nothing, or nothing more to say. */
  value?: unknown;
}

/** A difference that was seen once. */
export interface Seen extends Both<SeenSide> {
  kind: DifferenceKind;
  place: string;
}

/** An operation and channel, where nothing else is known. */
export type Subject = Pick<Difference, 'operation' | 'channel' | 'environment'>;

/** What a difference was seen in. Those of the same context, place and kind are one. */
export interface Context extends Subject, Pick<Difference, 'part' | 'status'> {
  source: DriftSource;
}

/** Takes up what a comparison sees. */
export interface Sink {
  /** A place was compared. `isMember`: it was a member of a body. */
  looked(place: string, isMember?: boolean): void;
  saw(seen: Seen): void;
}

export const NOTHING: SeenSide = { is: null };
