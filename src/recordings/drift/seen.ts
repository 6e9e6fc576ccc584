import type { Difference, DifferenceKind, DifferencePart, DriftSource } from '../../base/schema/recordings.ts';

export type SideName = 'recorded' | 'sandbox';

/** What one side had at a place. */
export interface SeenSide {
  /** Its type or format; null where there is nothing. */
  is: string | null;
  /** Left out where there is nothing, or nothing more to say. */
  value?: unknown;
}

/** A difference that was seen once. */
export interface Seen {
  kind: DifferenceKind;
  place: string;
  recorded: SeenSide;
  sandbox: SeenSide;
}

/** What it was seen in. Differences of the same context, place and kind are one. */
export interface Context extends Pick<Difference, 'operation' | 'channel' | 'environment' | 'status'> {
  part: DifferencePart;
  source: DriftSource;
  /** A status word that only the recording has, and the one that the sandbox may have for it: counts if that turns out so. */
  renamed?: Renamed | undefined;
}

export interface Renamed {
  from: string;
  to: string;
}

/** Takes up what a comparison sees. */
export interface Sink {
  /** A place was compared. `isMember`: it was a member of a body. */
  looked(place: string, isMember?: boolean): void;
  saw(seen: Seen): void;
}

export const NOTHING: SeenSide = { is: null };
/** The place of whether there is an answer. */
export const ANSWER = 'answer';
/** The place of a body as a whole. */
export const BODY = 'body';
