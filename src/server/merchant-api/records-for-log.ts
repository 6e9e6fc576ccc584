import type { LoggedRequest } from '../sessions/request-log.ts';
import type { CollectionName } from '../store/store.ts';

/** The records that a call changed, by their keys. Counts of faults and states of endpoints cannot be opened, so they are omitted. */
export function recordsForLog(changedKeys: readonly string[]): LoggedRequest['records'] {
  return changedKeys.filter((key) => !/^(?:faultCounts|webhookQueues) /.test(key)).map(recordOf);
}

function recordOf(key: string): LoggedRequest['records'][number] {
  const space = key.indexOf(' ');
  return { collection: key.slice(0, space) as CollectionName, id: key.slice(space + 1) };
}
