import { messageOf } from './api.ts';
import { onRefetch } from './stream.ts';

export type FetchResult<Value> = { value: Value } | { problem: string };

export interface Refetcher {
  /** Fetches again after a change, once further changes have been collected. */
  fetchSoon(): void;
  stop(): void;
}

/**
 * Fetches at once, and again after each change, one call at a time. A change during a call causes another call, because the answer may
 * not contain the change.
 * `delayAfter` returns for how many milliseconds changes are collected, given the duration of the last call.
 */
export function keepFetched<Value>(
  load: () => Promise<Value>,
  apply: (fetched: FetchResult<Value>) => void,
  delayAfter: (durationMs: number) => number,
): Refetcher {
  let isStopped = false;
  let isFetching = false;
  let isOutdated = false;
  let durationMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fetchNow = async () => {
    timer = undefined;
    isFetching = true;
    isOutdated = false;
    const startedAt = performance.now();
    const fetched = await load().then(
      (value) => ({ value }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    durationMs = performance.now() - startedAt;
    isFetching = false;
    if (!isStopped) {
      apply(fetched);
      isOutdated && fetchSoon();
    }
  };
  const fetchSoon = () => {
    isOutdated = true;
    if (!(isFetching || isStopped)) {
      timer ??= setTimeout(fetchNow, delayAfter(durationMs));
    }
  };
  const unsubscribe = onRefetch(fetchSoon);
  void fetchNow();
  return {
    fetchSoon,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
