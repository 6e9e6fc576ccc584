import { printable, printableLines } from '../base/text/printable.ts';
import type { CommandResult, ResultStream } from './command.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * Prints the results of a command one by one, as JSON or as text, and resolves with the kind of result. Commands escape control
 * characters in each cell; those that are left are escaped here, before they reach a terminal.
 */
export async function show(
  result: CommandResult | ResultStream | undefined,
  asJson: boolean,
  print: (text: string) => void,
): Promise<'succeeded' | 'failed' | 'unknown'> {
  if (result === undefined) {
    return 'succeeded';
  }
  if (Symbol.asyncIterator in result) {
    for await (const { data, text } of result) {
      print(`${printableLines(asJson ? JSON.stringify(data) : text)}\n`);
    }
    return 'succeeded';
  }
  print(`${printableLines(asJson ? JSON.stringify(result.data, null, 2) : result.text)}\n`);
  return result.isFailure === true ? 'failed' : result.isUnknown === true ? 'unknown' : 'succeeded';
}

/** Rows as a table with the given columns; as JSON with all members. */
export function tableOf(rows: readonly object[], columns: readonly string[]): CommandResult {
  return { data: rows, text: textOfTable(rows as readonly Row[], columns) };
}

function textOfTable(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) {
    return 'none';
  }
  const lines = [columns.map(cellOf), ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const hasFigures = columns.map((name, index) => index > 0 && areFigures(rows.map((row) => row[name])));
  return lines
    .map((line) =>
      line
        .map((text, index) => (hasFigures[index] ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Whether a column has figures only; they are aligned to the right (except in the first column), so that they are easy to compare. */
function areFigures(values: readonly unknown[]): boolean {
  const present = values.filter((value) => value !== null && value !== undefined);
  const isFigure = (value: unknown) => typeof value === 'number' || /^-?\d+\.\d\d$/.test(String(value));
  return present.length > 0 && present.every(isFigure);
}

/** Longer texts are cut for people. */
const MAX_TEXT_LENGTH = 300;

/** In base64, the 24 bytes that a PNG image begins with: its signature, and its size at their end. */
const PNG_START = /^iVBORw0KGgo[A-Za-z\d+/]{21}/;

/** JSON for people, line by line, with long texts cut. */
export function linesOfJson(value: unknown): string[] {
  return printableLines(JSON.stringify(value, (_name, each: unknown) => cut(each), 2)).split('\n');
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** A value with long texts cut. An image is described, because people cannot read its base64 text. */
export function cut(value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_TEXT_LENGTH
    ? (describeImage(value) ?? `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length} characters; --json shows all)`)
    : value;
}

function describeImage(text: string): string | undefined {
  const [start = ''] = PNG_START.exec(text) ?? [];
  const bytes = Buffer.from(start, 'base64');
  return start === ''
    ? undefined
    : `PNG image, ${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)} pixels (${text.length} characters of base64)`;
}

/** A value, or the values of an object or a list, on one line, with control characters escaped. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '-';
  }
  return typeof value === 'object' ? Object.values(value).map(cellOf).join(' ') : printable(String(value));
}
