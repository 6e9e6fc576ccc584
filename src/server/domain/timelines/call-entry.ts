import { callInWords } from '../../../base/text/call-words.ts';
import { inWords } from '../../../base/text/words.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import type { StoryEntry } from './story-entry.ts';

export function entryOfCall(call: LoggedRequest): StoryEntry {
  const { id, at, method, path, operation, answer, events, lastEvent } = call;
  return {
    at,
    // A call is shown before the events that it caused.
    order: (events[0]?.id ?? lastEvent + 1) - 0.5,
    kind: 'request.answered',
    title: operation === null ? `${method} ${path}` : inWords(operation),
    words: callInWords(call),
    status: answer?.status ?? null,
    requestId: id,
  };
}
