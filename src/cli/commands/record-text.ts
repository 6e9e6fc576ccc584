import { isMembers } from '../../base/members.ts';
import { printable } from '../../base/text/printable.ts';
import { cellOf, cut, indent, linesOfJson, tableOf } from '../../command/show.ts';

/** A record as text: its members line by line, then each nested list and object below its name, without absent and empty ones. */
export function textOfRecord(record: object): string {
  const members = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const plain = members.filter(([, value]) => typeof value !== 'object');
  const nested = members.filter(([, value]) => typeof value === 'object' && Object.keys(value).length > 0);
  return [
    ...linesOfMembers(plain),
    ...nested.flatMap(([name, value]) => ['', printable(name), ...indent(linesOfValue(value))]),
  ].join('\n');
}

function linesOfMembers(members: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(0, ...members.map(([name]) => printable(name).length));
  return members.map(([name, value]) => `${printable(name).padEnd(width)}  ${cellOf(cut(value))}`);
}

/** A list as a table, an object line by line; deeper values as JSON. */
function linesOfValue(value: object): string[] {
  if (Array.isArray(value)) {
    return value.every(isFlat) ? tableOf(value, columnsOf(value)).text.split('\n') : linesOfJson(value);
  }
  return isFlat(value) ? linesOfMembers(Object.entries(value)) : linesOfJson(value);
}

/** The members for which at least one row has a value. */
function columnsOf(rows: readonly Record<string, unknown>[]): string[] {
  const names = rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== null && row[name] !== undefined));
  return [...new Set(names)];
}

function isFlat(value: unknown): value is Record<string, unknown> {
  return isMembers(value) && Object.values(value).every((member) => typeof member !== 'object' || member === null);
}
