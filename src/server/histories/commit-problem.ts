import { isNameIn } from '../../base/members.ts';
import type { BundleLine } from '../../base/schema/generated/histories.ts';
import type { synchronousValidate } from '../../base/schema/validation.ts';
import { COLLECTIONS } from '../store/collections.ts';
import { recordSchemas } from '../store/record-schemas.ts';

type Commit = Extract<BundleLine, { kind: 'commit' }>;

/** The first mistake in a commit that somebody else may have written, in words; undefined if it is valid. */
export function findCommitProblem(
  { state, changes, events }: Commit,
  check: Awaited<ReturnType<typeof synchronousValidate>>,
): string | undefined {
  const [stateFinding] = check('records/session-state', state);
  if (stateFinding) {
    return `$.state${stateFinding.path.slice(1)} must be ${stateFinding.expected}; received ${stateFinding.received}`;
  }
  for (const [index, { collection, id, record }] of changes.entries()) {
    const path = `$.changes[${index}]`;
    if (!isNameIn(COLLECTIONS, collection)) {
      return `${path}.collection must be one of ${Object.keys(COLLECTIONS).join(', ')}; received ${JSON.stringify(collection)}`;
    }
    const [finding] = record === null ? [] : check(recordSchemas()[collection], record);
    if (finding) {
      return `${path}.record${finding.path.slice(1)} must be ${finding.expected}; received ${finding.received}`;
    }
    if (record !== null && record['id'] !== id) {
      return `${path}.record.id must be ${JSON.stringify(id)}; received ${JSON.stringify(record['id'])}`;
    }
  }
  const event = events.find(({ collection }) => collection !== null && !isNameIn(COLLECTIONS, collection));
  return event && `an event is about an unknown collection: ${JSON.stringify(event.collection)}`;
}
