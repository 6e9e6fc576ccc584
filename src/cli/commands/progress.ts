import { printable } from '../../base/text/printable.ts';
import { every } from '../../base/timers.ts';
import type { Progress } from '../../examine/examination.ts';

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
    show({ now: what, done, total, violated }: Progress): void {
      const count = total === 0 ? '' : `${done}/${total} `;
      now = `${count}${what}${violated === 0 ? '' : ` (violated: ${violated})`}`;
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
