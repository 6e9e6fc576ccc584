import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../base/errors.ts';
import { isMembers } from '../base/members.ts';
import { describeFinding } from '../base/refusal.ts';
import type {
  RecordedCall,
  RecordedNotification,
  RecordingHead,
  RecordingLine,
} from '../base/schema/generated/recordings.ts';
import { validate } from '../base/schema/validation.ts';
import { tryParseJson } from '../base/text/try-parse-json.ts';
import { type Instant, parseInstant } from '../base/time.ts';
import { readFileBytes, withoutByteOrderMark } from '../base/written-file.ts';

/** A call or a notification with its answer. */
export type RecordedExchange = RecordedCall | RecordedNotification;

/** Where an exchange is in a recording. Reports show it as the source of a difference. */
export interface ExchangeSource {
  file: string;
  /** The number of the line, from 1. */
  line: number;
}

export interface LocatedExchange<Kind extends RecordedExchange = RecordedExchange> extends ExchangeSource {
  exchange: Kind;
}

export type LocatedCall = LocatedExchange<RecordedCall>;

/** A recording, or a file of noise rules, that cannot be read or written. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** The `error` of an exchange that was active when the recorder ended; neither side caused it. */
export const RECORDING_ENDED = 'the recording ended before the end of the answer';
/** The `error` of an exchange that the recorder answered because its destination could not be reached. */
export const NOT_REACHABLE = 'it could not be passed on: the address cannot be reached';
/** The beginning of the `error` of a call that was not played, because its body was not recorded. */
export const NOT_SENT = 'not sent: ';

export const RECORDING_FORMAT = 1;
export const RECORDING_EXTENSION = '.jsonl';

/** All recordings in a folder, merged. */
export interface Recording {
  heads: readonly RecordingHead[];
  /** Files whose last line is incomplete and therefore ignored. */
  incomplete: readonly string[];
  /** Calls in the order in which they began. */
  calls: readonly LocatedCall[];
  notifications: readonly LocatedExchange<RecordedNotification>[];
  /** From the first exchange to the end of the recording (to the last exchange, if the recorder was killed); undefined without exchanges. */
  span: { from: Instant; to: Instant } | undefined;
}

/** Reads all recordings in a folder, or a single file. Throws RecordingError. */
export async function readRecording(path: string): Promise<Recording> {
  const heads: RecordingHead[] = [];
  const incomplete: string[] = [];
  const exchanges: LocatedExchange[] = [];
  const endTimes: string[] = [];
  for (const file of listFiles(path)) {
    const bytes = readBytes(file);
    // A recorder that is killed leaves an incomplete line.
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) {
      incomplete.push(file);
    }
    const lines = withoutByteOrderMark(bytes.toString('utf8', 0, end))
      .split('\n')
      .slice(0, -1);
    for (const [index, text] of lines.entries()) {
      const line = await parseLine(text, file, index + 1);
      if (line.kind === 'recording') {
        heads.push(line);
      } else if (line.kind === 'end') {
        endTimes.push(line.at);
      } else {
        exchanges.push({ exchange: line, file: basename(file), line: index + 1 });
      }
    }
    if (lines.length === 0) {
      throw new RecordingError(`${file} ${bytes.length === 0 ? 'is empty' : 'has no complete line'}`);
    }
  }
  // Sorting is stable: exchanges that began in the same millisecond stay in the order in which they ended.
  exchanges.sort(({ exchange: { at } }, { exchange: other }) => (at < other.at ? -1 : Number(at > other.at)));
  return { heads, incomplete, ...byKind(exchanges), span: spanOf(exchanges, endTimes) };
}

function byKind(exchanges: readonly LocatedExchange[]): Pick<Recording, 'calls' | 'notifications'> {
  return {
    calls: exchanges.flatMap(({ exchange, ...location }) =>
      exchange.kind === 'call' ? [{ exchange, ...location }] : [],
    ),
    notifications: exchanges.flatMap(({ exchange, ...location }) =>
      exchange.kind === 'notification' ? [{ exchange, ...location }] : [],
    ),
  };
}

function spanOf(exchanges: readonly LocatedExchange[], endTimes: readonly string[]): Recording['span'] {
  const [first, last] = [exchanges[0]?.exchange, exchanges.at(-1)?.exchange];
  return first && last && { from: parseInstant(first.at), to: Math.max(...[last.at, ...endTimes].map(parseInstant)) };
}

function listFiles(path: string): string[] {
  if (path.endsWith(RECORDING_EXTENSION) && statSync(path, { throwIfNoEntry: false })?.isFile()) {
    return [path];
  }
  let names: string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    throw new RecordingError(isMissing ? `there is no folder ${path}` : `${path} cannot be read: ${messageOf(error)}`);
  }
  const files = names.filter((name) => name.endsWith(RECORDING_EXTENSION)).sort();
  if (files.length === 0) {
    throw new RecordingError(`${path} has no recording: no file in it ends with ${RECORDING_EXTENSION}`);
  }
  return files.map((name) => join(path, name));
}

function readBytes(file: string): Buffer {
  try {
    return readFileBytes(file);
  } catch (error) {
    throw new RecordingError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

async function parseLine(text: string, file: string, number: number): Promise<RecordingLine> {
  const line = tryParseJson(text);
  if (number === 1) {
    assertHead(line, file);
  }
  if (line === undefined) {
    throw new RecordingError(`${file}:${number} is not JSON`);
  }
  const [finding] = await validate('recordings/recording-line', line);
  if (finding) {
    throw new RecordingError(`${file}:${number}: ${describeFinding(finding)}`);
  }
  return line as RecordingLine;
}

function assertHead(line: unknown, file: string): void {
  const format = isMembers(line) && line['kind'] === 'recording' ? line['format'] : undefined;
  if (format === undefined) {
    throw new RecordingError(`${file} is not a recording: its first line has no "kind": "recording" and "format"`);
  }
  if (format !== RECORDING_FORMAT) {
    throw new RecordingError(`${file} has format ${JSON.stringify(format)}; this version reads ${RECORDING_FORMAT}`);
  }
}
