import { Transform } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { membersOf } from '../../base/members.ts';
import { isDeeperThan } from '../../base/schema/depth.ts';
import { plural } from '../../base/text/plural.ts';

/** Bytes of one message: far more than any tool takes. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Levels of nesting of one message: the sandbox takes bodies of 100, and deeper ones exhaust the stack of what writes them. */
const DEEPEST = 110;

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

/** What is wrong with a line, as JSON-RPC answers it. */
export interface MessageError {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/**
 * Passes on lines that are messages of JSON-RPC. Of each other one it tells what is wrong: the protocol's library drops it without a
 * word, and its sender waits. A line that is too long is not kept.
 */
export function messagesOnly(refuse: (error: MessageError) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.length;
    parts = size > MAX_MESSAGE_BYTES ? [] : [...parts, part];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end));
        const line = Buffer.concat(parts).toString();
        const error = size > MAX_MESSAGE_BYTES ? tooLong(size) : problemOf(line);
        [parts, size, start] = [[], 0, end + 1];
        if (error) {
          refuse(error);
        } else if (line.trim() !== '') {
          this.push(`${line}\n`);
        }
      }
      take(chunk.subarray(start));
      done();
    },
  });
}

function problemOf(line: string): MessageError | undefined {
  if (line.trim() === '') {
    return undefined;
  }
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return refusal(PARSE_ERROR, `the line is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (Array.isArray(message)) {
    return refusal(INVALID_REQUEST, 'the line is a batch; send one message per line');
  }
  const { id } = membersOf(message);
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (isDeeperThan(DEEPEST, message)) {
    return refusal(INVALID_REQUEST, `the line is nested more than ${DEEPEST} levels deep`, known);
  }
  try {
    parseJSONRPCMessage(message);
    return undefined;
  } catch {
    return refusal(
      INVALID_REQUEST,
      'the line is not a JSON-RPC 2.0 message with jsonrpc, id, method and params',
      known,
    );
  }
}

function tooLong(size: number): MessageError {
  return refusal(
    INVALID_REQUEST,
    `the line has ${plural(size, 'byte')}; a message can have at most ${plural(MAX_MESSAGE_BYTES, 'byte')}`,
  );
}

function refusal(code: number, message: string, id: MessageError['id'] = null): MessageError {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
