import type { LoggedRequest } from '../sessions/request-log.ts';
import type { CollectionName } from '../store/store.ts';

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
