import { corrupted } from './corruption.ts';

/** Parses one line. Throws StoreError if it is not JSON. */
export function parseLine(text: string, place: { file: string; line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw corrupted(place, `it is not JSON (${error instanceof Error ? error.message : error})`);
  }
}

/** Parses a file's lines as one JSON text. Throws StoreError with the first wrong line if it is invalid. */
export function parseLines(lines: readonly string[], file: string): unknown {
  try {
    return JSON.parse(lines.join('\n'));
  } catch {
    throw corrupted({ file, line: lineOfSyntaxError(lines) }, 'it is not JSON');
  }
}

/** The first line with which the text is invalid and not merely incomplete. A search, because not every error of the parser has a position. */
function lineOfSyntaxError(lines: readonly string[]): number {
  let right = 0;
  let wrong = lines.length;
  while (wrong - right > 1) {
    const middle = (right + wrong) >>> 1;
    if (isUnfinished(lines.slice(0, middle).join('\n'))) {
      right = middle;
    } else {
      wrong = middle;
    }
  }
  return wrong;
}

function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.includes('Unterminated string')) {
      // A string cannot continue in the next line.
      return false;
    }
    const position = /position (\d+)/.exec(message)?.[1];
    return position === undefined ? message.includes('Unexpected end') : Number(position) >= text.length;
  }
}
