import type { Readable } from 'node:stream';
import type { RecordedBody, RecordedHeader } from '../../base/schema/recordings.ts';
import { MAX_RECORDED_BYTES, readBody } from '../body.ts';

/** Keeps a copy of what flows through a stream, as long as that is short enough. */
export class Tap {
  #kept: Buffer[] = [];
  #size = 0;

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > MAX_RECORDED_BYTES) {
        this.#kept = [];
      } else {
        this.#kept.push(chunk);
      }
    });
  }

  read(headers: readonly RecordedHeader[]): RecordedBody {
    return readBody(Buffer.concat(this.#kept), headers, this.#size);
  }
}
