import { useEffect, useState } from 'preact/hooks';
import type { ExaminationView } from '../../../base/schema/generated/control.ts';
import { ask, messageOf } from '../../api.ts';
import { onRefetch } from '../../stream.ts';

/** Milliseconds between two fetches, while an examination runs and while none runs. */
const RUNNING_POLL_MS = 1000;
const IDLE_POLL_MS = 5000;

interface Looked {
  /** The last fetched state. */
  view: ExaminationView | undefined;
  /** Why it cannot be fetched now. */
  problem: string | undefined;
  lookAgain(): void;
}

/** The examination, fetched repeatedly. */
export function useExamination(): Looked {
  const [looked, setLooked] = useState<Omit<Looked, 'lookAgain'>>({ view: undefined, problem: undefined });
  const [lookAgain, setLookAgain] = useState<() => void>(() => () => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let latest = 0;
    const look = async () => {
      clearTimeout(timer);
      latest += 1;
      const mine = latest;
      const seen = await ask<ExaminationView>('GET', 'examination').catch(messageOf);
      if (mine === latest) {
        const isSeen = typeof seen !== 'string';
        setLooked(({ view }) => (isSeen ? { view: seen, problem: undefined } : { view, problem: seen }));
        timer = setTimeout(look, isSeen && seen.state === 'running' ? RUNNING_POLL_MS : IDLE_POLL_MS);
      }
    };
    const stop = onRefetch(() => void look());
    setLookAgain(() => () => void look());
    void look();
    return () => {
      latest += 1;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return { ...looked, lookAgain };
}
