import { useEffect, useState } from 'preact/hooks';
import type { ExaminationView } from '../../../base/schema/generated/control.ts';
import { ask, messageOf } from '../../api.ts';
import { onRefetch } from '../../stream.ts';

/** Milliseconds between two fetches, while an examination runs and while none runs. */
const RUNNING_POLL_MS = 1000;
const IDLE_POLL_MS = 5000;

interface FetchedExamination {
  /** The last fetched state. */
  view: ExaminationView | undefined;
  /** Why it cannot be fetched now. */
  problem: string | undefined;
  refetch(): void;
}

export function useExamination(): FetchedExamination {
  const [fetched, setFetched] = useState<Omit<FetchedExamination, 'refetch'>>({ view: undefined, problem: undefined });
  const [refetch, setRefetch] = useState<() => void>(() => () => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastFetchNumber = 0;
    const fetchNow = async () => {
      clearTimeout(timer);
      lastFetchNumber += 1;
      const fetchNumber = lastFetchNumber;
      const result = await ask<ExaminationView>('GET', 'examination').catch(messageOf);
      if (fetchNumber === lastFetchNumber) {
        const isFetched = typeof result !== 'string';
        setFetched(({ view }) => (isFetched ? { view: result, problem: undefined } : { view, problem: result }));
        timer = setTimeout(fetchNow, isFetched && result.state === 'running' ? RUNNING_POLL_MS : IDLE_POLL_MS);
      }
    };
    const unsubscribe = onRefetch(() => void fetchNow());
    setRefetch(() => () => void fetchNow());
    void fetchNow();
    return () => {
      lastFetchNumber += 1;
      clearTimeout(timer);
      unsubscribe();
    };
  }, []);
  return { ...fetched, refetch };
}
