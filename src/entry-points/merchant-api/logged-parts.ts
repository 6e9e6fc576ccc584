import { redact, redactHeaders, redactSentence } from '../../base/masking/redact.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import type { CollectionName } from '../../store/store.ts';

/** An answer as it was sent. */
export interface SentAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** The records that a call changed, by their keys. */
export function recordsForLog(changedKeys: readonly string[]): LoggedRequest['records'] {
  return changedKeys.filter(isShown).map(recordOf);
}

/** How often a fault struck, or how an endpoint fares, is no record that anybody could look at. */
function isShown(key: string): boolean {
  return !key.startsWith('faultCounts ') && !key.startsWith('webhookQueues ');
}

function recordOf(key: string): LoggedRequest['records'][number] {
  const space = key.indexOf(' ');
  return { collection: key.slice(0, space) as CollectionName, id: key.slice(space + 1) };
}

export function answerForLog({ status, headers, text }: SentAnswer): LoggedRequest['answer'] {
  try {
    return { status, headers: redactHeaders(headers), body: JSON.stringify(redact(JSON.parse(text))) };
  } catch {
    // A fault may send what is no JSON, or nothing.
    return { status, headers: redactHeaders(headers), body: redactSentence(text) };
  }
}
