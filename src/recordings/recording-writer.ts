import { mkdirSync, statSync, type WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { VERSION } from '../base/package.ts';
import type { RecordingHead, RecordingLine } from '../base/schema/generated/recordings.ts';
import { RECORDING_EXTENSION, RECORDING_FORMAT, type RecordedExchange, RecordingError } from './recording.ts';

/** Creates a folder and its parents. `mkdirSync` with `recursive` would hang where nothing can be created, such as in `/proc`. */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder) {
    makeFolder(parent);
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) {
    mkdirSync(folder);
  } else if (!stats.isDirectory()) {
    throw new RecordingError(`${folder} is not a folder`);
  }
}

/** Writes a recording to a new file in a folder. The exchanges must be masked already. */
export class RecordingWriter {
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #stream: WriteStream;

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.#handle = handle;
    this.#stream = handle.createWriteStream();
    // Each write reports its own error. Without a listener, the stream's event would end the process.
    this.#stream.on('error', () => undefined);
  }

  /** Creates the folder if it does not exist. Throws RecordingError. */
  static async create(
    folder: string,
    head: Omit<RecordingHead, 'kind' | 'format' | 'version'>,
  ): Promise<RecordingWriter> {
    const file = join(folder, `${head.startedAt.replace(/[:.]/g, '-')}${RECORDING_EXTENSION}`);
    try {
      makeFolder(folder);
      const writer = new RecordingWriter(file, await open(file, 'wx'));
      await writer.#write({ kind: 'recording', format: RECORDING_FORMAT, version: VERSION, ...head });
      return writer;
    } catch (error) {
      throw error instanceof RecordingError
        ? error
        : new RecordingError(`${file} cannot be written: ${messageOf(error)}`);
    }
  }

  async write(exchange: RecordedExchange): Promise<void> {
    await this.#write(exchange);
    await this.#assertFileExists();
  }

  /** `endedAt`: the time until which exchanges were recorded. */
  async close(endedAt?: string): Promise<void> {
    try {
      if (endedAt !== undefined && !this.#stream.destroyed) {
        await this.#write({ kind: 'end', at: endedAt });
      }
      await this.#assertFileExists();
    } finally {
      await new Promise<void>((resolve, reject) => {
        this.#stream.once('error', reject);
        this.#stream.end(() => resolve());
      });
    }
  }

  /** Checks that the file exists, because writing to a deleted file succeeds without storing anything. */
  async #assertFileExists(): Promise<void> {
    // After an error, which was reported, the file is closed.
    if (!this.#stream.destroyed && (await this.#handle.stat()).nlink === 0) {
      throw new RecordingError(`${this.file} was deleted while it was written, and the recording is lost`);
    }
  }

  #write(line: RecordingLine): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(`${JSON.stringify(line)}\n`, (error) =>
        error ? reject(new RecordingError(`${this.file} cannot be written: ${messageOf(error)}`)) : resolve(),
      );
    });
  }
}
