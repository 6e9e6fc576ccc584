// The generated files, as .gitattributes lists them for `git diff`.
import { readFileSync } from 'node:fs';

/** Their paths in the checkout. */
export function generatedFiles() {
  const lines = readFileSync('.gitattributes', 'utf8').split('\n');
  return new Set(lines.flatMap((line) => /^(\S+) linguist-generated/.exec(line)?.[1] ?? []));
}
