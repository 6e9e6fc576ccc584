import { pathOf } from '../address.ts';

/** Where the entries of an account or a record are shown. */
export function entriesPath(of: { account: string } | { recordId: string }): string {
  return `${pathOf('ledger')}?${new URLSearchParams(of)}`;
}

/** A link to the ledger entries of a record. */
export function EntriesLink({ id }: { id: string }) {
  return <a href={entriesPath({ recordId: id })}>Entries in the ledger</a>;
}
