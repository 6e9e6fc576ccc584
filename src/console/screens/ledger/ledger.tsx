import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pathOf } from '../../address.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/parts.tsx';
import { entriesPath } from '../../record/entries-link.tsx';
import { screenOfRecord } from '../../record/screen-of-record.ts';
import { Accounts } from './accounts.tsx';
import { Entries, type EntryFilter } from './entries.tsx';
import { LedgerCheckButton } from './ledger-check-button.tsx';

export function Ledger() {
  const { account, recordId } = useLocation().query;
  const filter: EntryFilter = { ...(account ? { account } : {}), ...(recordId ? { recordId } : {}) };
  const name = account ?? recordId;
  return (
    <Page screen="ledger" title={name ?? 'Ledger'}>
      {name === undefined ? <AllBooks /> : <EntriesOf name={name} isRecord={account === undefined} filter={filter} />}
    </Page>
  );
}

function AllBooks() {
  return (
    <>
      <header class="record-head">
        <h1>Ledger</h1>
        <p class="record-detail">
          Where all money comes from and goes to, by account: each payment, fee, payout and transfer is an entry that
          debits and credits the same amount.
        </p>
        <LedgerCheckButton />
      </header>
      <Section title="Accounts" level={2}>
        <Accounts />
      </Section>
      <Section title="Entries" level={2}>
        <EntrySearch />
        <Entries filter={{}} />
      </Section>
    </>
  );
}

/** Opens the entries of a record by its id, or of an account by its name. */
function EntrySearch() {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const go = (event: Event) => {
    event.preventDefault();
    const name = typed.trim();
    route(entriesPath(screenOfRecord(name) === undefined ? { account: name } : { recordId: name }));
  };
  return (
    <form class="form in-line entries-find" onSubmit={go}>
      <label>
        Record or account
        <input
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="payment-1 or merchant:M-1000"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Show entries
      </button>
    </form>
  );
}

function EntriesOf({ name, isRecord, filter }: { name: string; isRecord: boolean; filter: EntryFilter }) {
  const screen = isRecord ? screenOfRecord(name) : undefined;
  return (
    <>
      <a class="back-to-all" href={pathOf('ledger')}>
        ‹ Ledger
      </a>
      <header class="record-head">
        <p class="record-kind">{isRecord ? 'Entries of a record' : 'Entries of an account'}</p>
        <h1 data-testid="entries-of">{screen === undefined ? name : <a href={pathOf(screen, name)}>{name}</a>}</h1>
      </header>
      <Entries filter={filter} />
    </>
  );
}
