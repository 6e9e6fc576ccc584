import { useEffect, useState } from 'preact/hooks';
import { keepFetched } from './keep-fetched.ts';
import { combineCleanups, onNotice } from './stream.ts';

/** How long changes are collected before the data is fetched again; longer if answers are slow, to leave room for other calls. */
const GATHER_MS = 500;
const GATHER_FACTOR = 4;

interface SessionData<Value> {
  /** The last fetched data. */
  value: Value | undefined;
  /** Why the data cannot be fetched now. */
  problem: string | undefined;
}

export function useSessionData<Value>(load: () => Promise<Value>): SessionData<Value> {
  const [state, setState] = useState<SessionData<Value>>({ value: undefined, problem: undefined });
  useEffect(() => {
    const { fetchSoon, stop } = keepFetched(
      load,
      (fetched) =>
        setState((before) =>
          'value' in fetched ? { value: fetched.value, problem: undefined } : { ...before, ...fetched },
        ),
      (durationMs) => Math.max(GATHER_MS, durationMs * GATHER_FACTOR),
    );
    const notices = ['event', 'call', 'delivery', 'changed', 'clock', 'cleared', 'restarted'] as const;
    return combineCleanups(stop, ...notices.map((name) => onNotice(name, fetchSoon)));
  }, []);
  return state;
}
