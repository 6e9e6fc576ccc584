import { pathOf } from '../address.ts';

/** To what a record debited and credited. */
export function EntriesLink({ id }: { id: string }) {
  return <a href={`${pathOf('ledger')}?recordId=${encodeURIComponent(id)}`}>Entries in the ledger</a>;
}
