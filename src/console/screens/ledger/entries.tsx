import { toMinorUnits } from '../../../base/money.ts';
import type { LedgerEntryView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { LoadingOrProblem, Moment } from '../../components/parts.tsx';
import { useLiveList } from '../../list/list-screen.tsx';
import { PagedItems } from '../../list/rows.tsx';
import type { FollowedList, ListSource } from '../../live-list.ts';
import { Amount } from '../../record/amount.tsx';
import { entriesPath } from '../../record/entries-link.tsx';
import { screenOfRecord } from '../../record/screen-of-record.ts';
import { onNotice } from '../../stream.ts';

/** The filters of entries in the address. */
export interface EntryFilter {
  account?: string;
  recordId?: string;
}

const MONEY_COLLECTIONS: ReadonlySet<string | null> = new Set(['payments', 'payouts', 'settlements']);

export function movesMoney(collection: string | null): boolean {
  return MONEY_COLLECTIONS.has(collection);
}

const SOURCE: Omit<ListSource, 'query'> = {
  path: 'ledger/entries',
  changes: (refresh) => onNotice('event', ({ collection }) => movesMoney(collection) && refresh()),
};

export function Entries({ filter }: { filter: EntryFilter }) {
  const list = useLiveList<LedgerEntryView>(SOURCE, { ...filter, order: 'newest' });
  const isFailed = list?.status.value === 'failed';
  if (list === undefined || isFailed || (list.status.value === 'loading' && list.items.value.length === 0)) {
    return <LoadingOrProblem problem={isFailed ? list.problem.value : undefined} />;
  }
  return list.items.value.length === 0 ? <p class="hint">No entries.</p> : <EntryTable list={list} filter={filter} />;
}

function EntryTable({ list, filter }: { list: FollowedList<LedgerEntryView>; filter: EntryFilter }) {
  return (
    <PagedItems list={list}>
      <table class="books figures" data-testid="entries">
        <caption class="visually-hidden">Entries, newest first</caption>
        <thead>
          <tr>
            <th>Entry</th>
            <th class="number">Debit</th>
            <th class="number">Credit</th>
          </tr>
        </thead>
        {list.items.value.map((entry) => (
          <Entry key={entry.id} entry={entry} filter={filter} />
        ))}
      </table>
    </PagedItems>
  );
}

function Entry({ entry, filter }: { entry: LedgerEntryView; filter: EntryFilter }) {
  const { id, at, event, recordId, currency, environment, postings } = entry;
  const screen = screenOfRecord(recordId);
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={3}>
          {inWords(event)} · {screen === undefined ? recordId : <a href={pathOf(screen, recordId)}>{recordId}</a>}{' '}
          <span class="quiet">
            · {id}, {currency}
            {environment === 'sandbox' ? '' : `, ${environment}`}, <Moment at={at} />
          </span>
        </th>
      </tr>
      {postings.map(({ account, side, amount }) => (
        <tr key={`${account} ${side}`}>
          <td class={side === 'credit' ? 'id credited' : 'id'}>
            {account === filter.account ? <b>{account}</b> : <a href={entriesPath({ account })}>{account}</a>}
          </td>
          <td class="number">{side === 'debit' ? <Amount units={toMinorUnits(amount)} /> : null}</td>
          <td class="number">{side === 'credit' ? <Amount units={toMinorUnits(amount)} /> : null}</td>
        </tr>
      ))}
    </tbody>
  );
}
