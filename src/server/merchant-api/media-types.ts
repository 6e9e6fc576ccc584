import type { IncomingMessage } from 'node:http';
import { preferredType } from '../http/answers.ts';

const TEXT = 'text/plain;charset=UTF-8';
const JSON_TEXT = 'application/json;charset=UTF-8';

interface MediaTypes {
  /** The one that a negotiated answer has. */
  preferred: string;
  /** Whether the client takes JSON and not the interface's own text/plain. */
  isJsonOnly: boolean;
}

/** Clients send the same few headers with every request. */
const known = new Map<string, MediaTypes>();
const MAX_KNOWN = 1000;
const MAX_KNOWN_LENGTH = 200;

/** The media type of an answer's JSON: INTERFACE.md has text/plain alone, so only a negotiated one depends on `Accept`. */
export function mediaTypeFor(request: IncomingMessage, isNegotiated: boolean): string {
  return isNegotiated ? mediaTypesOf(request).preferred : TEXT;
}

/** The `Accept` header of a client that takes JSON alone; undefined for any other client. */
export function jsonOnlyAccept(request: IncomingMessage): string | undefined {
  return request.headers.accept !== undefined && mediaTypesOf(request).isJsonOnly ? request.headers.accept : undefined;
}

function mediaTypesOf(request: IncomingMessage): MediaTypes {
  const { accept = '' } = request.headers;
  const found = known.get(accept);
  if (found) {
    return found;
  }
  const preferred = preferredType(request, [TEXT, JSON_TEXT]) ?? TEXT;
  const mediaTypes = { preferred, isJsonOnly: preferred === JSON_TEXT && !preferredType(request, [TEXT]) };
  if (known.size < MAX_KNOWN && accept.length <= MAX_KNOWN_LENGTH) {
    known.set(accept, mediaTypes);
  }
  return mediaTypes;
}
