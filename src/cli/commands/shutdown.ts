import { afterMilliseconds, every } from '../../base/timers.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Under npx, a Ctrl-C comes twice: from the terminal and from npx. Only one that comes later is a second one. */
const SAME_SIGNAL_MS = 3000;

/** Milliseconds between two looks at the parent. */
const BETWEEN_LOOKS_MS = 1000;

/**
 * Resolves when the process is asked to end: by a signal or, where it is watched, because its parent is gone. From the call on, a
 * signal does nothing else. A second one ends the process at once: by `endNow`, where that is given.
 */
export function askedToEnd({ withParent, endNow }: { withParent: boolean; endNow?: () => void }): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      resolve();
      afterMilliseconds(SAME_SIGNAL_MS, () => {
        for (const signal of SIGNALS) {
          process.off(signal, onSignal);
          if (endNow) {
            process.once(signal, endNow);
          }
        }
      });
    };
    for (const signal of SIGNALS) {
      process.on(signal, onSignal);
    }
    if (withParent) {
      watchParent(resolve);
    }
  });
}

/** An orphan is given another parent, at the latest process 1. A process whose parent that was from the start, as in a container, stays. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const stop = every(BETWEEN_LOOKS_MS, () => {
    if (process.ppid !== parent) {
      stop();
      onGone();
    }
  });
}

/**
 * Whether npx runs this program and nothing else. It does so through a shell, and passes a SIGTERM to the shell alone, which
 * most shells do not pass on: all that is seen here is that the parent is gone.
 */
export function isRunByNpx(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = environment;
  return event === 'npx' && /^(['"]?)merchant-sandbox\1$/.test(script ?? '');
}
