import type { LoggedRequest } from '../sessions/request-log.ts';
import type { CollectionName } from '../store/store.ts';

/** The records that a call changed, by their keys. */
export function recordsForLog(changedKeys: readonly string[]): LoggedRequest['records'] {
  return changedKeys.filter(isShown).map(recordOf);
}

/** Counts of faults and states of endpoints are omitted, because they cannot be opened as records. */
function isShown(key: string): boolean {
  return !key.startsWith('faultCounts ') && !key.startsWith('webhookQueues ');
}

function recordOf(key: string): LoggedRequest['records'][number] {
  const space = key.indexOf(' ');
  return { collection: key.slice(0, space) as CollectionName, id: key.slice(space + 1) };
}
