import type { Shown } from './commands.ts';

type Row = Record<string, unknown>;

/** Prints what a command has to show: as JSON, one line a row, or as a table. */
export async function show(shown: Shown, columns: readonly string[], asJson: boolean): Promise<void> {
  if (Symbol.asyncIterator in shown) {
    for await (const event of shown) {
      console.log(
        asJson ? JSON.stringify(event) : columns.map((column) => textOf(Reflect.get(event, column))).join('  '),
      );
    }
    return;
  }
  if (asJson) {
    console.log(JSON.stringify(shown, null, 2));
    return;
  }
  console.log(tableOf(shown as readonly Row[], columns));
}

/** Columns as wide as their longest text; an empty list says so. */
export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) {
    return 'none';
  }
  const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '-';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
