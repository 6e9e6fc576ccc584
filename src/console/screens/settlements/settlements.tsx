import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { SettlementView } from '../../../base/schema/control.ts';
import { pathOf } from '../../address.ts';
import { Empty } from '../../components/parts.tsx';
import { aboutUnknown, queryOf } from '../../filter.ts';
import { useLiveList } from '../../list/list-screen.tsx';
import { SearchField } from '../../list/search-field.tsx';
import type { LiveList } from '../../live-list.ts';
import { Kinds } from '../../record/kinds.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { booksOf } from './figures.ts';
import { fetchSettlement, showSettlement } from './settlement-detail.tsx';
import { SettlementTable } from './settlement-table.tsx';

const SOURCE = { path: 'settlements', collection: 'settlements' };
const FILTERS = ['state', 'merchantId', 'environment', 'currency', 'businessDate'];
const STATES = ['Open', 'InTransit', 'Paid', 'Returned', 'CarriedOver'];

/** What merchants are paid: a table that adds up, or one settlement. */
export function Settlements() {
  const { query, route, path } = useLocation();
  const { id } = useRoute().params;
  const text = query['q'] ?? '';
  const { query: asked, unknown } = queryOf(text, FILTERS);
  const list = useLiveList<SettlementView>(SOURCE, asked);
  useEffect(() => {
    document.title = `${id ?? 'Settlements'} – merchant-sandbox`;
  }, [id]);
  const search = text === '' ? '' : `?q=${encodeURIComponent(text)}`;
  return (
    <div class={`split wide ${id === undefined ? '' : 'open'}`}>
      <h1 class="unseen">Settlements</h1>
      <section class="list" aria-label="Settlements">
        <header class="list-head">
          <Kinds screen="settlements" />
          <a class="button" href={pathOf('ledger')}>
            Ledger
          </a>
        </header>
        <SearchField
          text={text}
          filters={FILTERS}
          offered={STATES}
          onChange={(words) => route(words === '' ? path : `${path}?q=${encodeURIComponent(words)}`, true)}
          list={unknown[0] === undefined ? list : undefined}
        />
        {unknown[0] === undefined ? (
          <Content list={list} isFiltered={text !== ''} search={search} />
        ) : (
          <Empty title={aboutUnknown(unknown[0], FILTERS)} />
        )}
      </section>
      {id === undefined ? null : (
        <section class="detail" aria-label="Detail">
          <div key={id} class="detail-content">
            <a class="back" href={`${pathOf('settlements')}${search}`}>
              ‹ Settlements
            </a>
            <RecordDetail id={id} collection="settlements" load={fetchSettlement} show={showSettlement} />
          </div>
        </section>
      )}
    </div>
  );
}

interface ContentProps {
  list: LiveList<SettlementView> | undefined;
  isFiltered: boolean;
  search: string;
}

function Content({ list, isFiltered, search }: ContentProps) {
  if (list === undefined || (list.status.value === 'loading' && list.items.value.length === 0)) {
    return <div class="rows" aria-busy="true" />;
  }
  if (list.status.value === 'failed') {
    return <Empty title="This cannot be shown">{<p>{list.problem.value}</p>}</Empty>;
  }
  if (list.items.value.length === 0) {
    return isFiltered ? (
      <Empty title="Nothing fits">{<p>Take a word out of the search field.</p>}</Empty>
    ) : (
      <Empty title="No settlements yet">
        <p>The first payment of a merchant's day opens one. It is closed at the day's cut-off.</p>
      </Empty>
    );
  }
  const isWhole = list.cursor.value === null && !list.isCut.value && list.held.value === 0;
  return (
    <div class="rows books-page">
      {list.held.value === 0 && !list.isCut.value ? null : (
        <button type="button" class="held" onClick={() => list.follow(true)}>
          Show the newest
        </button>
      )}
      {booksOf(list.items.value).map((book) => (
        <SettlementTable key={`${book.environment} ${book.currency}`} book={book} search={search} isWhole={isWhole} />
      ))}
      {list.cursor.value === null ? null : (
        <button type="button" class="button older" onClick={() => list.loadOlder()}>
          Show older ones
        </button>
      )}
    </div>
  );
}
