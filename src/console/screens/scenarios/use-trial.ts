import { useEffect, useState } from 'preact/hooks';
import { onNotice } from '../../stream.ts';

/** The pause in typing after which a definition is tried again. */
const PAUSE_MS = 400;

interface Trial<Result> {
  result?: Result;
  error?: unknown;
}

/** The result of trying a definition on calls, updated after each change of the definition and each call. */
export function useTrial<Result>(
  definition: unknown,
  run: () => Promise<Result>,
  firstPauseMs = PAUSE_MS,
): Trial<Result> {
  const [trial, setTrial] = useState<Trial<Result>>();
  const [callCount, setCallCount] = useState(0);
  useEffect(() => onNotice('call', () => setCallCount((count) => count + 1)), []);
  useEffect(() => {
    let isCancelled = false;
    // The answer about an earlier text may arrive late.
    const show = (shown: Trial<Result>) => isCancelled || setTrial(shown);
    const tryIt = () =>
      run().then(
        (result) => show({ result }),
        (error) => show({ error }),
      );
    const timer = setTimeout(tryIt, trial === undefined ? firstPauseMs : PAUSE_MS);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [definition, callCount]);
  return trial ?? {};
}
