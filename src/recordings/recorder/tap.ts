import type { Readable } from 'node:stream';
import type { RecordedBody, RecordedHeader } from '../../base/schema/generated/recordings.ts';
import { MAX_RECORDED_BYTES, readBody } from '../body.ts';

/** Keeps a copy of the data of a stream, or only its size if it exceeds MAX_RECORDED_BYTES. */
export class Tap {
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > MAX_RECORDED_BYTES) {
        this.#chunks = [];
      } else {
        this.#chunks.push(chunk);
      }
    });
  }

  read(headers: readonly RecordedHeader[]): RecordedBody {
    return readBody(Buffer.concat(this.#chunks), headers, this.#size);
  }
}
