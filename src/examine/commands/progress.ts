import { printable } from '../../base/text/printable.ts';
import { runEvery } from '../../base/timers.ts';
import type { Progress } from '../examination-options.ts';

export function describeProgress({ now, done, total, violated, leftMs }: Progress): string {
  const count = total === 0 ? '' : `${done}/${total} `;
  const remarks = [
    ...(violated === 0 ? [] : [`violated: ${violated}`]),
    ...(leftMs === undefined ? [] : [`about ${describeTime(leftMs)} left`]),
  ];
  return `${count}${now}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`;
}

const MINUTE_S = 60;

/** Precise to ten seconds, or to a minute from two minutes on. */
function describeTime(milliseconds: number): string {
  const seconds = Math.max(10, 10 * Math.round(milliseconds / 10_000));
  return seconds < 2 * MINUTE_S ? `${seconds} s` : `${Math.round(seconds / MINUTE_S)} min`;
}

const LINE_INTERVAL_MS = 10_000;

/** A terminal overwrites one line; a log gets a new line every ten seconds, if the progress changed. */
export function createProgressDisplay(stream: Pick<typeof process.stderr, 'isTTY' | 'columns' | 'write'>) {
  const { isTTY, columns } = stream;
  let [current, lastWritten] = ['', ''];
  const write = (text: string) => stream.write(text);
  const overwrite = (text: string) => isTTY && write(`\r\x1b[2K${text}`);
  const writeNew = () => {
    if (current !== lastWritten) {
      lastWritten = current;
      write(`${current}\n`);
    }
  };
  const stop = isTTY ? undefined : runEvery(LINE_INTERVAL_MS, writeNew);
  return {
    show(progress: Progress): void {
      current = printable(describeProgress(progress));
      overwrite(current.slice(0, Math.max(10, columns - 1)));
    },
    /** Prints a separate line. */
    say(text: string): void {
      overwrite('');
      write(`${text}\n`);
    },
    end(): void {
      stop?.();
      overwrite('');
    },
  };
}
