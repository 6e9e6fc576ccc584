import { createReadStream, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../base/errors.ts';
import { isMembers } from '../base/members.ts';
import type { RecordedCall, RecordedNotification, RecordingHead, RecordingLine } from '../base/schema/recordings.ts';
import { validate } from '../base/schema/validation.ts';
import { type Instant, isInstant, parseInstant } from '../base/time.ts';
import { withoutMark } from '../base/written-file.ts';

/** A call or a notification, with what was answered. */
export type Exchange = RecordedCall | RecordedNotification;

/** Where an exchange stands, which is its source for whoever asks. */
export interface Place {
  file: string;
  /** From 1. */
  line: number;
}

/** An exchange and where it stands. */
export interface Traced<Kind extends Exchange = Exchange> extends Place {
  exchange: Kind;
}

export type TracedCall = Traced<RecordedCall>;

/** A recording that cannot be read or written. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** The `error` of an exchange that was under way when the recorder ended. Neither side did that. */
export const RECORDING_ENDED = 'the recording ended before the end of the answer';
/** The `error` of an exchange that the recorder itself answered, as nothing was reached where it had to be passed on to. */
export const NOT_REACHABLE = 'it could not be passed on: the address cannot be reached';
/** How the `error` of a call begins that was to be played and cannot be sent as it was. */
const NOT_SENT = 'not sent: ';

export function notSent(reason: string): string {
  return NOT_SENT + reason;
}

export function isNotSent(error: string | null): error is string {
  return error?.startsWith(NOT_SENT) ?? false;
}

export const RECORDING_FORMAT = 1;
export const EXTENSION = '.jsonl';
const LINE_END = 0x0a;

/** Where a line is in its file, and when its exchange began: all that is kept of a recording while it is read. */
interface IndexEntry {
  at: string;
  file: number;
  line: number;
  /** In bytes. */
  from: number;
  length: number;
}

/** What a recording has, found once. */
interface Index {
  heads: RecordingHead[];
  incomplete: string[];
  entries: IndexEntry[];
  /** When recorders ended. */
  ends: string[];
}

/**
 * The recordings in a folder, as one. Exchanges come in the order in which they began, each read when it is asked for, so that a long
 * recording needs little memory.
 */
export class Recording {
  readonly heads: readonly RecordingHead[];
  /** Files with the beginning of a line at their end, which is left out. */
  readonly incomplete: readonly string[];
  readonly #files: readonly string[];
  readonly #entries: readonly IndexEntry[];
  readonly #ends: readonly string[];

  private constructor(files: readonly string[], { heads, incomplete, entries, ends }: Index) {
    this.#ends = ends;
    this.#files = files;
    this.heads = heads;
    this.incomplete = incomplete;
    this.#entries = entries;
  }

  /** Throws RecordingError. */
  static async open(folder: string): Promise<Recording> {
    const files = filesIn(folder);
    const found: Index = { heads: [], incomplete: [], entries: [], ends: [] };
    for (const [index, file] of files.entries()) {
      found.heads.push(await indexFile(file, index, found));
    }
    // Sorting is stable: what began in the same millisecond stays in the order in which it ended.
    found.entries.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    return new Recording(files, found);
  }

  /** How many exchanges there are. */
  get size(): number {
    return this.#entries.length;
  }

  /** When the first exchange began, and until when it is known that there was no other; undefined where there is none. */
  get span(): { from: Instant; to: Instant } | undefined {
    const [first, last] = [this.#entries[0], this.#entries.at(-1)];
    const seenUntil = (at: string) => Math.max(...[at, ...this.#ends].map(parseInstant));
    return first && last && { from: parseInstant(first.at), to: seenUntil(last.at) };
  }

  /** Throws RecordingError for a line that is no exchange. */
  async *exchanges(): AsyncGenerator<Traced> {
    const handles = new Map<number, FileHandle>();
    try {
      for (const entry of this.#entries) {
        const name = this.#files[entry.file] ?? '';
        const handle = handles.get(entry.file) ?? (await open(name));
        handles.set(entry.file, handle);
        const bytes = Buffer.alloc(entry.length);
        await handle.read(bytes, 0, entry.length, entry.from);
        const line = await checkedLine(parsed(bytes.toString()), name, entry.line);
        if (line.kind === 'call' || line.kind === 'notification') {
          yield { exchange: line, file: basename(name), line: entry.line };
        }
      }
    } finally {
      await Promise.all([...handles.values()].map((handle) => handle.close()));
    }
  }

  /** As exchanges(). */
  async *calls(): AsyncGenerator<TracedCall> {
    for await (const { exchange, ...place } of this.exchanges()) {
      if (exchange.kind === 'call') {
        yield { exchange, ...place };
      }
    }
  }

  /** As exchanges(). */
  async *notifications(): AsyncGenerator<Traced<RecordedNotification>> {
    for await (const { exchange, ...place } of this.exchanges()) {
      if (exchange.kind === 'notification') {
        yield { exchange, ...place };
      }
    }
  }
}

function filesIn(folder: string): string[] {
  if (folder.endsWith(EXTENSION) && statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    return [folder];
  }
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    throw new RecordingError(
      isMissing ? `there is no folder ${folder}` : `${folder} cannot be read: ${messageOf(error)}`,
    );
  }
  const files = names.filter((name) => name.endsWith(EXTENSION)).sort();
  if (files.length === 0) {
    throw new RecordingError(`${folder} has no recording: no file in it ends with ${EXTENSION}`);
  }
  return files.map((name) => join(folder, name));
}

/** Adds where the exchanges of a file stand. Returns its first line. */
async function indexFile(file: string, index: number, { incomplete, entries, ends }: Index): Promise<RecordingHead> {
  let head: RecordingHead | undefined;
  let [number, from] = [0, 0];
  for await (const bytes of linesOf(file, () => incomplete.push(file))) {
    number += 1;
    const line = parsed(number === 1 ? withoutMark(bytes.toString()) : bytes.toString());
    if (number === 1) {
      head = await headOf(line, file);
    } else if (isMembers(line) && line['kind'] === 'end') {
      ends.push(await endIn(line, file, number));
    } else {
      const at = isMembers(line) ? String(line['at']) : '';
      if (!isInstant(at)) {
        await checkedLine(line, file, number);
      }
      entries.push({ at, file: index, line: number, from, length: bytes.length });
    }
    from += bytes.length + 1;
  }
  if (!head) {
    throw new RecordingError(`${file} is empty`);
  }
  return head;
}

/** Lines without their ends. A last one without an end is what a recorder leaves that is killed, and is left out: `onRest` hears of it. */
async function* linesOf(file: string, onRest: () => void): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunksOf(file)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
  if (rest.some(({ length }) => length > 0)) {
    onRest();
  }
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new RecordingError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

async function headOf(line: unknown, file: string): Promise<RecordingHead> {
  const format = isMembers(line) && line['kind'] === 'recording' ? line['format'] : undefined;
  if (format === undefined) {
    throw new RecordingError(`${file} is not a recording: its first line does not say so`);
  }
  if (format !== RECORDING_FORMAT) {
    throw new RecordingError(`${file} has format ${JSON.stringify(format)}; this version reads ${RECORDING_FORMAT}`);
  }
  const head = await checkedLine(line, file, 1);
  if (head.kind !== 'recording') {
    throw new RecordingError(`${file} is not a recording: its first line does not say so`);
  }
  return head;
}

async function endIn(line: unknown, file: string, number: number): Promise<string> {
  const end = await checkedLine(line, file, number);
  return end.kind === 'end' ? end.at : '';
}

async function checkedLine(line: unknown, file: string, number: number): Promise<RecordingLine> {
  if (line === undefined) {
    throw new RecordingError(`${file}:${number} is not JSON`);
  }
  const [finding] = await validate('recordings/recording-line', line);
  if (finding) {
    throw new RecordingError(
      `${file}:${number}: ${finding.path}: expected ${finding.expected}; received ${finding.received}`,
    );
  }
  return line as RecordingLine;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
