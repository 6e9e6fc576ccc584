import { fstatSync } from 'node:fs';
import { stdin } from 'node:process';

/**
 * Resolves when whoever started the program closes its standard input, where that is a pipe. A terminal is not read: a program in the
 * background would be stopped by it, and Ctrl-C ends one in the foreground.
 */
export function endOfInput(): Promise<void> {
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
