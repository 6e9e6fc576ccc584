import { Transform } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { membersOf } from '../../base/members.ts';
import { isDeeperThan } from '../../base/schema/depth.ts';
import { plural } from '../../base/text/plural.ts';

/** Far more than any tool needs. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Levels of nesting in a message: the sandbox accepts bodies of 100, and writing very deep ones would overflow the stack. */
const MAX_DEPTH = 110;

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

/** An error answer of JSON-RPC. */
export interface MessageError {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/**
 * Forwards lines that are messages of JSON-RPC, and answers other lines with an error: the protocol's library would drop them silently,
 * and their sender would wait. Blank lines are ignored. A line that is too long is not buffered.
 */
export function createMessageFilter(refuse: (error: MessageError) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  const append = (part: Buffer) => {
    size += part.length;
    parts = size > MAX_MESSAGE_BYTES ? [] : [...parts, part];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        append(chunk.subarray(start, end));
        const line = Buffer.concat(parts).toString();
        const error = size > MAX_MESSAGE_BYTES ? messageError(INVALID_REQUEST, describeSize(size)) : errorOf(line);
        [parts, size, start] = [[], 0, end + 1];
        if (error) {
          refuse(error);
        } else if (line.trim() !== '') {
          this.push(`${line}\n`);
        }
      }
      append(chunk.subarray(start));
      done();
    },
  });
}

function errorOf(line: string): MessageError | undefined {
  if (line.trim() === '') {
    return undefined;
  }
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return messageError(PARSE_ERROR, `the line is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (Array.isArray(message)) {
    return messageError(INVALID_REQUEST, 'the line is a batch; send one message per line');
  }
  const { id } = membersOf(message);
  const knownId = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (isDeeperThan(MAX_DEPTH, message)) {
    return messageError(INVALID_REQUEST, `the line is nested more than ${MAX_DEPTH} levels deep`, knownId);
  }
  try {
    parseJSONRPCMessage(message);
    return undefined;
  } catch {
    return messageError(
      INVALID_REQUEST,
      'the line is not a JSON-RPC 2.0 message with jsonrpc, id, method and params',
      knownId,
    );
  }
}

const describeSize = (size: number) =>
  `the line has ${plural(size, 'byte')}; a message can have at most ${plural(MAX_MESSAGE_BYTES, 'byte')}`;

function messageError(code: number, message: string, id: MessageError['id'] = null): MessageError {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
