import { fstatSync } from 'node:fs';
import { stdin } from 'node:process';

/**
 * Resolves when the parent process closes standard input, if that is a pipe; otherwise never. A terminal is not read, because reading
 * would stop a program in the background; Ctrl-C ends one in the foreground.
 */
export function waitForEndOfInput(): Promise<void> {
  return new Promise((resolve) => {
    if (isPipe()) {
      stdin.once('end', resolve).once('error', resolve).resume();
    }
  });
}

function isPipe(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
