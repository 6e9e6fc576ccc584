import { COLLECTIONS } from '../collections.ts';
import { MemberReader } from '../memory/member-reader.ts';
import { standsAt } from '../memory/stands-at.ts';
import { Table } from '../memory/table.ts';
import type { CollectionName, StoreError } from '../store.ts';
import { corrupted, expectRecord } from './corruption.ts';
import { linesOf, textOf } from './files.ts';
import { parseLine } from './json-lines.ts';
import { StateChecksums } from './state-checksums.ts';
import { RECORD_INDENT } from './state-text.ts';

const INDENTED = Buffer.from(`${RECORD_INDENT}{`);
const COMMA = ','.charCodeAt(0);
const BRACE = '}'.charCodeAt(0);

/** Records on lines of their own that follow each other. */
export interface Run {
  /** Line of the first. */
  line: number;
  /** The collection that the line above names; undefined where it names none. */
  collection: CollectionName | undefined;
  /** Filled while the file is read: no record is held as an object. */
  table: Table;
  members: MemberReader;
}

/**
 * A state file cut in two: its records, run by run, and the rest of its text with each run's number in the run's place.
 * The rest is small, so it is parsed whole. A file that an editor laid out anew is all rest, and read as well.
 */
export interface CutFile {
  file: string;
  /** One entry per line of the file. */
  rest: string[];
  runs: Run[];
  checksums: StateChecksums;
}

/** Reads a state file line by line. Throws StoreError where a line is none of one. */
export async function cutFile(file: string): Promise<CutFile> {
  const cut: CutFile = { file, rest: [], runs: [], checksums: new StateChecksums(file) };
  let run: Run | undefined;
  let comma = false;
  for (const line of linesOf(file)) {
    const { bytes, number } = line;
    cut.checksums.add(line);
    const json = recordIn(bytes);
    if (!json) {
      const text = textOf(line, file);
      cut.rest.push(run && comma ? `,${text}` : text);
      run = undefined;
      continue;
    }
    const place = { file, line: number };
    if (!run) {
      run = newRun(number, cut.rest.at(-1));
      cut.rest.push(String(cut.runs.push(run) - 1));
    } else if (comma) {
      cut.rest.push('');
    } else {
      throw corrupted(place, 'it is not JSON (a comma is missing before it)');
    }
    comma = bytes.at(-1) === COMMA;
    const facts = run.members.read(json);
    if (!hasId(facts)) {
      await (run.collection && expectRecord(run.collection, parseLine(textOf(line, file), place), place));
      throw corrupted(place, 'a record stands where none belongs');
    }
    addTo(run, facts, json, place);
  }
  return cut;
}

/** The JSON of a line that is a record, without the comma behind it; undefined for any other line. */
function recordIn(bytes: Buffer): Buffer | undefined {
  const end = bytes.at(-1) === COMMA ? bytes.length - 1 : bytes.length;
  return standsAt(bytes, 0, INDENTED) && bytes[end - 1] === BRACE
    ? bytes.subarray(RECORD_INDENT.length, end)
    : undefined;
}

function newRun(line: number, lineAbove: string | undefined): Run {
  const collection = collectionNamedIn(lineAbove);
  const facts = collection ? COLLECTIONS[collection] : { indexes: [], counted: [] };
  const members = new MemberReader(['id', 'dueAt', ...facts.indexes, ...facts.counted]);
  return { line, collection, table: new Table(facts), members };
}

function collectionNamedIn(line: string | undefined): CollectionName | undefined {
  const name = /^ {6}"(\w+)": \[$/.exec(line ?? '')?.[1];
  return name && Object.hasOwn(COLLECTIONS, name) ? (name as CollectionName) : undefined;
}

/** Throws StoreError where there is a record of that id already. */
export function addTo(
  { collection, table }: Pick<Run, 'collection' | 'table'>,
  record: { id: string },
  json: string | Buffer,
  place: { file: string; line: number },
): void {
  if (!table.add(record.id, record, json)) {
    throw secondOf(collection, record.id, place);
  }
}

/** The error for a record with the id of another. */
export function secondOf(
  collection: string | undefined,
  id: string,
  place: { file: string; line: number },
): StoreError {
  return corrupted(place, `${collection} has the id ${id} a second time`);
}

function hasId(record: object): record is { id: string } {
  return 'id' in record && typeof record.id === 'string';
}
