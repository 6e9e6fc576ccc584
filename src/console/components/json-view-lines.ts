import type { Finding } from '../../base/schema/generated/control.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { printable } from '../../base/text/printable.ts';

export interface JsonViewLine {
  /** The JSON path of the value that begins in this line; empty in the last line of a value. */
  path: string;
  depth: number;
  /** The name of a member, in quotes; empty for other values. */
  name: string;
  text: string;
  kind: 'string' | 'number' | 'literal' | 'punctuation';
  findings: Finding[];
}

/** More lines would block the browser. */
const MAX_LINES = 2000;

/** JSON line by line, with each finding at its line; a finding about a missing member is at the first line of its object. */
export function linesOf(value: unknown, findings: readonly Finding[]): JsonViewLine[] {
  const lines: JsonViewLine[] = [];
  if (value !== undefined) {
    appendLines(lines, value, { path: '$', depth: 0, name: '', comma: '' });
  }
  for (const finding of findings) {
    const line = findLine(finding.path, lines);
    if (line) {
      line.findings.push(finding);
    } else {
      lines.push({ path: finding.path, depth: 0, name: '', text: '', kind: 'punctuation', findings: [finding] });
    }
  }
  return lines;
}

interface Position {
  path: string;
  depth: number;
  name: string;
  comma: string;
}

function appendLines(lines: JsonViewLine[], value: unknown, { path, depth, name, comma }: Position): void {
  if (lines.length > MAX_LINES) {
    return;
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    lines.push({
      path,
      depth,
      name,
      text: `${printable(JSON.stringify(value))}${comma}`,
      kind: kindOf(value),
      findings: [],
    });
    return;
  }
  const isList = Array.isArray(value);
  const members: [string | number, unknown][] = isList
    ? value.map((each, index) => [index, each])
    : Object.entries(value);
  lines.push({ path, depth, name, text: isList ? '[' : '{', kind: 'punctuation', findings: [] });
  for (const [index, [key, member]] of members.entries()) {
    appendLines(lines, member, {
      path: memberPath(path, key),
      depth: depth + 1,
      name: isList ? '' : printable(JSON.stringify(key)),
      comma: index < members.length - 1 ? ',' : '',
    });
  }
  const text = lines.length > MAX_LINES ? '…' : `${isList ? ']' : '}'}${comma}`;
  lines.push({ path: '', depth, name: '', text, kind: 'punctuation', findings: [] });
}

function kindOf(value: unknown): JsonViewLine['kind'] {
  if (typeof value === 'string' || typeof value === 'number') {
    return typeof value as 'string' | 'number';
  }
  return typeof value === 'object' && value !== null ? 'punctuation' : 'literal';
}

function findLine(path: string, lines: readonly JsonViewLine[]): JsonViewLine | undefined {
  const ownLine = lines.find((line) => line.path === path);
  const ancestors = lines.filter(
    (line) => line.path !== '' && (path.startsWith(`${line.path}.`) || path.startsWith(`${line.path}[`)),
  );
  return (
    ownLine ??
    ancestors.reduce<JsonViewLine | undefined>(
      (nearest, line) => (nearest && nearest.path.length >= line.path.length ? nearest : line),
      undefined,
    )
  );
}
