import { messageOf } from './api.ts';
import { onRefetch } from './stream.ts';

/** The result of a fetch. */
export type FetchResult<Value> = { value: Value } | { problem: string };

export interface Refetcher {
  /** Fetches again after a change, when further changes have been collected. */
  fetchSoon(): void;
  end(): void;
}

/**
 * Fetches at once, and again after each change, one call at a time. A change during a call causes another one, because the answer may
 * not contain it.
 * `waitAfter` returns for how many milliseconds changes are collected, from the duration of the last call.
 */
export function keepFetched<Value>(
  load: () => Promise<Value>,
  take: (fetched: FetchResult<Value>) => void,
  waitAfter: (took: number) => number,
): Refetcher {
  let isOver = false;
  let isAsking = false;
  let isOutdated = false;
  let took = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fetchNow = async () => {
    timer = undefined;
    isAsking = true;
    isOutdated = false;
    const asked = performance.now();
    const fetched = await load().then(
      (value) => ({ value }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    took = performance.now() - asked;
    isAsking = false;
    if (!isOver) {
      take(fetched);
      isOutdated && fetchSoon();
    }
  };
  const fetchSoon = () => {
    isOutdated = true;
    if (!(isAsking || isOver)) {
      timer ??= setTimeout(fetchNow, waitAfter(took));
    }
  };
  const stop = onRefetch(fetchSoon);
  void fetchNow();
  return {
    fetchSoon,
    end: () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    },
  };
}
