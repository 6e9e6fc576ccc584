import { describeSyntaxError, lineOfSyntaxError } from '../../../base/text/json-syntax.ts';
import { corruptionError } from './corruption.ts';

/** Parses one line. Throws StoreError if it is not JSON. */
export function parseLine(text: string, location: { file: string; line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corruptionError(location, `it is not JSON: ${describeSyntaxError(text)}`);
  }
}

/** Parses a file's lines as one JSON text. Throws StoreError with the first wrong line if it is invalid. */
export function parseLines(lines: readonly string[], file: string): unknown {
  const text = lines.join('\n');
  try {
    return JSON.parse(text);
  } catch {
    throw corruptionError({ file, line: lineOfSyntaxError(text) }, 'it is not JSON');
  }
}
