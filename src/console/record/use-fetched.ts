import { useEffect, useState } from 'preact/hooks';
import { keepFetched } from '../keep-fetched.ts';
import { combineCleanups, onNotice } from '../stream.ts';

/** How long changes are collected before a record is fetched again. */
const GATHER_MS = 120;

interface Fetched<Value> {
  value: Value | undefined;
  problem: string | undefined;
  refresh(): void;
}

/** Data that is fetched again after events and deliveries that affect it, and when `key` changes. */
export function useFetched<Value>(
  load: () => Promise<Value>,
  key: string,
  isAffectedBy: (subjectId: string | null, collection: string | null) => boolean,
): Fetched<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; problem?: string }>({ key });
  const [refresh, setRefresh] = useState<() => void>(() => () => {});
  useEffect(() => {
    const { fetchSoon, stop } = keepFetched(
      load,
      (fetched) => setState({ key, ...fetched }),
      () => GATHER_MS,
    );
    setRefresh(() => fetchSoon);
    return combineCleanups(
      stop,
      onNotice('event', ({ subjectId, collection }) => isAffectedBy(subjectId, collection) && fetchSoon()),
      onNotice(
        'delivery',
        ({ id, subjectId }) => (isAffectedBy(id, 'deliveries') || isAffectedBy(subjectId, null)) && fetchSoon(),
      ),
    );
  }, [key]);
  const isCurrent = state.key === key;
  return { value: isCurrent ? state.value : undefined, problem: isCurrent ? state.problem : undefined, refresh };
}
