import { platform } from '../base/platform.ts';
import { afterMilliseconds, runEvery } from '../base/timers.ts';
import { EXIT_UNKNOWN } from './command.ts';

/** Under npx, a Ctrl-C comes twice: from the terminal and from npx. Only one that comes later is a second one. */
const SAME_SIGNAL_MS = 3000;

/** Milliseconds between two looks at the parent. */
const PARENT_CHECK_MS = 1000;

/** What shells show for a process that a signal ended: 128 and the number of the signal. */
const EXIT_BY_SIGNAL = 128;

/**
 * Resolves when the process is asked to end: by a signal or, where it is watched, because its parent is gone. From the call on, a
 * signal does nothing else. A second one ends the process at once, with this exit code, and whatever it started: a signal that
 * nobody handles would leave that running.
 */
export function waitForEnd({ withParent, exitCode }: { withParent: boolean; exitCode?: number }): Promise<void> {
  return new Promise((resolve) => {
    let isSecond = false;
    const onSignal = (_signal: NodeJS.Signals, number: number) => {
      if (isSecond) {
        process.exit(exitCode ?? EXIT_BY_SIGNAL + number);
      }
      resolve();
      afterMilliseconds(SAME_SIGNAL_MS, () => {
        isSecond = true;
      });
    };
    for (const signal of platform.endSignals) {
      process.on(signal, onSignal);
    }
    if (withParent) {
      watchParent(resolve);
    }
  });
}

/** Resolves when a person asks for the end. Asked again, the process ends at once, and what it started with it. */
export function waitForStop(): Promise<void> {
  return waitForEnd({ withParent: false, exitCode: EXIT_UNKNOWN });
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const stop = runEvery(PARENT_CHECK_MS, () => {
    if (platform.isParentGone(parent)) {
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
