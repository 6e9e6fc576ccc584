import { pathOf } from '../address.ts';

export function entriesPath(filter: { account: string } | { recordId: string }): string {
  return `${pathOf('ledger')}?${new URLSearchParams(filter)}`;
}

export function EntriesLink({ id }: { id: string }) {
  return <a href={entriesPath({ recordId: id })}>Entries in the ledger</a>;
}
