import { printable, printableLines } from '../base/text/printable.ts';
import type { Following, Shown } from './command.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * Prints what a command has to show, as JSON or as text, each as it comes. Resolves with how it ends. Whatever a sandbox
 * says is made printable where it is put into a line; here nothing else gets to a terminal, either.
 */
export async function show(
  shown: Shown | Following | undefined,
  asJson: boolean,
  print: (text: string) => void,
): Promise<'well' | 'failed' | 'unknown'> {
  if (shown === undefined) {
    return 'well';
  }
  if (Symbol.asyncIterator in shown) {
    for await (const { data, text } of shown) {
      print(`${printableLines(asJson ? JSON.stringify(data) : text)}\n`);
    }
    return 'well';
  }
  print(`${printableLines(asJson ? JSON.stringify(shown.data, null, 2) : shown.text)}\n`);
  return shown.isFailure === true ? 'failed' : shown.isUnknown === true ? 'unknown' : 'well';
}

/** Rows as a table of some columns, and as JSON whole. */
export function tableOf(rows: readonly object[], columns: readonly string[]): Shown {
  return { data: rows, text: textOfTable(rows as readonly Row[], columns) };
}

/** Columns as wide as their longest text; an empty list says so. */
function textOfTable(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) {
    return 'none';
  }
  const lines = [columns.map(cellOf), ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const areAmounts = columns.map((name, index) => index > 0 && isOfAmounts(rows.map((row) => row[name])));
  return lines
    .map((line) =>
      line
        .map((text, index) => (areAmounts[index] ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Figures stand below each other, so that they can be added up by eye; where there is none, a dash. */
function isOfAmounts(values: readonly unknown[]): boolean {
  const present = values.filter((value) => value !== null && value !== undefined);
  const isFigure = (value: unknown) => typeof value === 'number' || /^-?\d+\.\d\d$/.test(String(value));
  return present.length > 0 && present.every(isFigure);
}

/** Characters of a text that are shown to people within JSON; a picture, say, is longer. */
const LONGEST_TEXT = 300;

/** JSON for people, line by line: long texts are cut. */
export function linesOfJson(value: unknown): string[] {
  return printableLines(JSON.stringify(value, (_name, each: unknown) => cut(each), 2)).split('\n');
}

/** A value as people are shown it: of a long text the beginning. */
export function cut(value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST_TEXT
    ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters; --json shows all)`
    : value;
}

/** A value on one line; what would act in a terminal is written out. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '-';
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
