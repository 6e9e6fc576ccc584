import { platform } from '../base/platform.ts';
import { afterMilliseconds, runEvery } from '../base/timers.ts';
import { EXIT_UNKNOWN } from './command.ts';

/** Under npx, one Ctrl-C arrives twice, from the terminal and from npx. Signals within this time count as one. */
const SAME_SIGNAL_MS = 3000;

const PARENT_CHECK_MS = 1000;

/** The exit code after a signal is this plus the signal's number, as in shells. */
const EXIT_BY_SIGNAL = 128;

/**
 * Resolves when the process is asked to end: by a signal, or because its parent has ended (`withParent`). A second signal ends it
 * at once with `exitCode` (default: that of the signal), by process.exit, so that listeners for `exit` can still end child processes.
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

/** Resolves at the first signal, such as Ctrl-C. A second one ends the process at once. */
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
 * Whether npx runs only this program. npx starts it through a shell, and most shells do not forward SIGTERM, so the program can only
 * notice that its parent has ended.
 */
export function isRunByNpx(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = environment;
  return event === 'npx' && /^(['"]?)merchant-sandbox\1$/.test(script ?? '');
}
