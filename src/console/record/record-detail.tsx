import type { VNode } from 'preact';
import { LoadingOrProblem } from '../components/parts.tsx';
import { isClockAwaited } from '../session-facts.ts';
import { useFetched } from './use-fetched.ts';

interface RecordDetailProps<Value> {
  id: string;
  /** The name of its collection in events. */
  collection: string;
  /** Whether its payments are shown, so that it is fetched again after each change of a payment. */
  hasPayments?: boolean;
  load(id: string): Promise<Value>;
  show(value: Value): VNode;
}

/** The details of a record, fetched again when it changes. */
export function RecordDetail<Value>({ id, collection, hasPayments = false, load, show }: RecordDetailProps<Value>) {
  const { value, problem } = useFetched(
    () => load(id),
    `${collection} ${id}`,
    (subjectId, changed) =>
      (subjectId === id && (changed === null || changed === collection)) || (hasPayments && changed === 'payments'),
  );
  return value === undefined || isClockAwaited.value ? <LoadingOrProblem problem={problem} /> : show(value);
}
