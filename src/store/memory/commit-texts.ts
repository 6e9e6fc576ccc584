import type { Commit } from '../store.ts';

/** The JSON of each record that a commit puts, null where it removes one. The journal and the tables both keep these texts. */
export type CommitTexts = readonly (string | null)[];

/** Throws where a record cannot be written as JSON. */
export function textsOf({ changes }: Commit): CommitTexts {
  return changes.map(({ record }) => record && JSON.stringify(record));
}

/** The changes as JSON, made around the records' texts. */
export function encodeChanges(changes: Commit['changes'], texts: CommitTexts): string {
  const list = changes.map(
    ({ collection, id }, index) => `{"collection":"${collection}","id":${JSON.stringify(id)},"record":${texts[index]}}`,
  );
  return `[${list.join(',')}]`;
}
