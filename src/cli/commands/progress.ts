import { printable } from '../../base/text/printable.ts';
import { every } from '../../base/timers.ts';
import type { Progress } from '../../examine/examination.ts';

/** How far an examination is, in a line. */
export function wordsOf({ now, done, total, violated }: Progress): string {
  const count = total === 0 ? '' : `${done}/${total} `;
  return `${count}${now}${violated === 0 ? '' : ` (violated: ${violated})`}`;
}

/** Milliseconds between two lines where they cannot be written over. */
const BETWEEN_LINES_MS = 10_000;

/** Says what is being examined: on one line of a terminal, or every few seconds where it is kept. */
export function progressOn(stream: typeof process.stderr) {
  const { isTTY, columns } = stream;
  let now = '';
  let hasEnded = false;
  const write = (text: string) => stream.write(text);
  const stop = isTTY ? undefined : every(BETWEEN_LINES_MS, () => now && write(`${now}\n`));
  return {
    show(given: Progress): void {
      now = wordsOf(given);
      if (isTTY) {
        write(`\r\x1b[2K${printable(now).slice(0, Math.max(10, columns - 1))}`);
      }
    },
    end(): void {
      stop?.();
      if (isTTY && !hasEnded) {
        write('\r\x1b[2K');
      }
      hasEnded = true;
    },
  };
}
