import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api.ts';
import { onFresh, onNotice } from '../stream.ts';

/** How long changes are gathered before a record is fetched anew. */
const GATHERED_MS = 120;

interface Fetched<Value> {
  value: Value | undefined;
  problem: string | undefined;
  refresh(): void;
}

/** What was asked for, and asked for again whenever something happens that `concerns` it. */
export function useFetched<Value>(
  load: () => Promise<Value>,
  key: string,
  concerns: (subjectId: string | null, collection: string | null) => boolean,
): Fetched<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; problem?: string }>({ key });
  const [refresh, setRefresh] = useState<() => void>(() => () => {});
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fetchNow = async () => {
      timer = undefined;
      try {
        const value = await load();
        isOver || setState({ key, value });
      } catch (error) {
        isOver || setState({ key, problem: messageOf(error) });
      }
    };
    const fetchSoon = () => {
      timer ??= setTimeout(fetchNow, GATHERED_MS);
    };
    const stops = [
      onFresh(fetchSoon),
      onNotice('event', ({ subjectId, collection }) => concerns(subjectId, collection) && fetchSoon()),
      onNotice(
        'delivery',
        ({ id, subjectId }) => (concerns(id, 'deliveries') || concerns(subjectId, null)) && fetchSoon(),
      ),
    ];
    setRefresh(() => fetchSoon);
    void fetchNow();
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const stop of stops) {
        stop();
      }
    };
  }, [key]);
  const isThis = state.key === key;
  return { value: isThis ? state.value : undefined, problem: isThis ? state.problem : undefined, refresh };
}
