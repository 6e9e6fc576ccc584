import type { Difference, DifferenceKind, DriftSource } from '../../base/schema/generated/recordings.ts';

export type SideName = 'recorded' | 'sandbox';

export type Both<Value> = Readonly<Record<SideName, Value>>;

export function mapBoth<Value, Result>(both: Both<Value>, map: (value: Value) => Result): Both<Result> {
  return { recorded: map(both.recorded), sandbox: map(both.sandbox) };
}

export interface SideValue {
  /** Its type, format or meaning, such as `status`; null if there is no value. */
  is: string | null;
  /** Undefined if there is no value, or if the format is enough. */
  value?: unknown;
}

/** A difference at one place in one exchange or payment. */
export interface SingleDifference extends Both<SideValue> {
  kind: DifferenceKind;
  place: string;
}

export type DriftSubject = Pick<Difference, 'operation' | 'channel' | 'environment'>;

/** The context of a difference. Differences with the same place, kind and context, apart from the source, are reported as one. */
export interface DriftContext extends DriftSubject, Pick<Difference, 'part' | 'status'> {
  source: DriftSource;
}

export interface DriftSink {
  /** Counts a place that was compared. `isMember`: whether it is a member of a body. */
  countCompared(place: string, isMember?: boolean): void;
  report(difference: SingleDifference): void;
}

export const NOTHING: SideValue = { is: null };
