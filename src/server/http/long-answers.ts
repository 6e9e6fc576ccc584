import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isMembers } from '../../base/members.ts';
import { endOfTurn, newTurnPause } from '../../base/timers.ts';
import { type AnswerOptions, JSON_TYPE, sendContent } from './answers.ts';
import { MAX_ANSWER_LENGTH, recordAnswer } from './recorded-calls.ts';

/** Characters that are serialized and sent at once. */
const CHUNK_LENGTH = 65_536;
/** Levels of lists and objects that are written member by member. */
const MAX_LEVELS = 3;
/** Content with a larger list or object is serialized in pieces. */
const MAX_ITEMS_AT_ONCE = 100;

/** Sends JSON, in pieces if it is long, so that other calls are served in between. The content must not change until it has been sent. */
export async function sendJsonInTurns(
  response: ServerResponse,
  content: unknown,
  options: AnswerOptions = {},
): Promise<void> {
  if (isLarge(content, MAX_LEVELS)) {
    await sendPieces(response, JSON_TYPE, piecesOf(jsonParts(content, MAX_LEVELS)), options);
  } else {
    await sendTextInTurns(response, JSON_TYPE, JSON.stringify(content), options);
  }
}

export async function sendTextInTurns(
  response: ServerResponse,
  mediaType: string,
  text: string,
  options: AnswerOptions = {},
): Promise<void> {
  if (text.length <= CHUNK_LENGTH) {
    sendContent(response, mediaType, text, options);
  } else {
    await sendPieces(response, mediaType, slicesOf(text), options);
  }
}

async function sendPieces(
  response: ServerResponse,
  mediaType: string,
  texts: Iterable<string>,
  { status = 200, headers = {} }: AnswerOptions,
): Promise<void> {
  // Creating the content may have taken most of this turn.
  await endOfTurn();
  const pieces: Buffer[] = [];
  let beginning = '';
  const pause = newTurnPause();
  let length = 0;
  for (const text of texts) {
    const piece = Buffer.from(text);
    pieces.push(piece);
    length += piece.length;
    beginning += beginning.length < MAX_ANSWER_LENGTH ? text : '';
    await pause();
  }
  const allHeaders = { 'Content-Type': mediaType, 'Content-Length': String(length), ...headers };
  recordAnswer(response, { status, headers: allHeaders, text: beginning });
  response.writeHead(status, allHeaders);
  // A client that has left does not need the rest.
  await pipeline(Readable.from(eachInTurns(pieces)), response).catch(() => undefined);
}

/** Pauses between pieces, because a fast client could otherwise receive all of them in one turn. */
async function* eachInTurns(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  const pause = newTurnPause();
  for (const piece of pieces) {
    yield piece;
    await pause();
  }
}

function isLarge(value: unknown, levels: number): boolean {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    return false;
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.length > MAX_ITEMS_AT_ONCE || items.some((item) => isLarge(item, levels - 1));
}

/** The JSON of a value in parts, which together are the result of JSON.stringify. */
function* jsonParts(value: unknown, levels: number): Generator<string> {
  const isPlain = isMembers(value) && Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value);
  if (levels === 0 || !(isPlain || Array.isArray(value))) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  let separator = '';
  if (Array.isArray(value)) {
    yield '[';
    for (const item of value) {
      yield separator;
      yield* jsonParts(item, levels - 1);
      separator = ',';
    }
    yield ']';
    return;
  }
  yield '{';
  for (const [name, member] of Object.entries(value as Record<string, unknown>)) {
    if (member !== undefined && typeof member !== 'function' && typeof member !== 'symbol') {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* jsonParts(member, levels - 1);
      separator = ',';
    }
  }
  yield '}';
}

function* piecesOf(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length >= CHUNK_LENGTH) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    // A surrogate pair must not be split.
    const isHalf = /[\ud800-\udbff]/.test(text.charAt(at + CHUNK_LENGTH - 1));
    const end = at + CHUNK_LENGTH + (isHalf ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}
