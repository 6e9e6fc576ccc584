import { pathOf } from '../address.ts';

/** The address of the ledger entries of an account or a record. */
export function entriesPath(of: { account: string } | { recordId: string }): string {
  return `${pathOf('ledger')}?${new URLSearchParams(of)}`;
}

/** A link to the ledger entries of a record. */
export function EntriesLink({ id }: { id: string }) {
  return <a href={entriesPath({ recordId: id })}>Entries in the ledger</a>;
}
