import { isNameIn } from '../../base/members.ts';
import type { BundleLine } from '../../base/schema/generated/histories.ts';
import type { synchronousValidate } from '../../base/schema/validation.ts';
import { COLLECTIONS } from '../store/collections.ts';
import { recordSchemas } from '../store/record-schemas.ts';

type Commit = Extract<BundleLine, { kind: 'commit' }>;

/** The first mistake in a commit that somebody else may have written, in words; undefined if it is valid. */
export function wrongInChange(
  { state, changes, events }: Commit,
  check: Awaited<ReturnType<typeof synchronousValidate>>,
): string | undefined {
  const [wrongState] = check('records/session-state', state);
  if (wrongState) {
    return `$.state${wrongState.path.slice(1)} must be ${wrongState.expected}; received ${wrongState.received}`;
  }
  for (const [index, { collection, id, record }] of changes.entries()) {
    const place = `$.changes[${index}]`;
    if (!isNameIn(COLLECTIONS, collection)) {
      return `${place}.collection must be one of ${Object.keys(COLLECTIONS).join(', ')}; received ${JSON.stringify(collection)}`;
    }
    const [wrong] = record === null ? [] : check(recordSchemas()[collection], record);
    if (wrong) {
      return `${place}.record${wrong.path.slice(1)} must be ${wrong.expected}; received ${wrong.received}`;
    }
    if (record !== null && record['id'] !== id) {
      return `${place}.record.id must be ${JSON.stringify(id)}; received ${JSON.stringify(record['id'])}`;
    }
  }
  const event = events.find(({ collection }) => collection !== null && !isNameIn(COLLECTIONS, collection));
  return event && `an event is about an unknown collection: ${JSON.stringify(event.collection)}`;
}
