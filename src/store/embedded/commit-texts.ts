import type { Commit } from '../store.ts';

/** The JSON of each record that a commit puts, null where it removes one. The journal and the tables both keep these texts. */
export type CommitTexts = readonly (string | null)[];

/** Throws where a record cannot be written as JSON. */
export function textsOf({ changes }: Commit): CommitTexts {
  return changes.map(({ record }) => record && JSON.stringify(record));
}
