import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { pathOf, screenOf } from '../address.ts';
import { useTitle } from '../components/page.tsx';
import { Empty, LoadingOrProblem } from '../components/parts.tsx';
import { parseQuery, type Query, unknownFilterMessage } from '../filter.ts';
import { GroupLinks } from '../frame/group-links.tsx';
import { type FollowedList, type ListItem, type ListSource, LiveList } from '../live-list.ts';
import type { Screen } from '../screens/screens.ts';
import { ListSummary } from './list-summary.tsx';
import { PagedItems, type RowContent, Rows } from './rows.tsx';
import { type FilterButton, SearchField } from './search-field.tsx';

/** The layout of a list: rows next to the open item, or a table on the whole page. */
type Layout<Item> =
  | { row(item: Item): RowContent; table?: undefined }
  | { table(items: readonly Item[], context: TableContext): ComponentChildren; row?: undefined };

export interface TableContext {
  hrefOf(id: string): string;
  /** Whether these are all items that match the search. */
  isComplete: boolean;
}

export type ListDefinition<Item extends ListItem> = ListParts<Item> & Layout<Item>;

interface ListParts<Item extends ListItem> {
  screen: Screen;
  title: string;
  /** An explanation of its items, shown above them. */
  about?: string;
  /** Its path and the collection whose events change it, or a function that follows several lists. */
  source: Omit<ListSource, 'query'> | ((query: Query) => FollowedList<Item>);
  /** Names of filters. The buttons are for values of the first one. */
  filters: readonly string[];
  filterButtons: readonly FilterButton[];
  /** Whether screen readers announce new rows, because the list is a log. */
  isLog?: boolean;
  /** Shown if the list is empty without a search. */
  empty: ComponentChildren;
  detail(id: string): ComponentChildren;
  /** Shown if no item is open, in place of the counts by the first filter. */
  summary?: ComponentChildren;
  actions?: ComponentChildren;
}

export function ListScreen<Item extends ListItem>({ definition }: { definition: ListDefinition<Item> }) {
  const { screen, title, about, filters, filterButtons, detail, summary, actions, table } = definition;
  const { query, route, path } = useLocation();
  const { id } = useRoute().params;
  const text = query['q'] ?? '';
  const { query: parsedQuery, unknown } = parseQuery(text, filters);
  const list = useLiveList(definition.source, parsedQuery);
  useTitle(id ?? title);
  const setSearch = (words: string) => {
    // Another screen may be opening while this one is still shown.
    if (screenOf(location.pathname) === screen) {
      route(`${path}${searchQuery(words)}`, true);
    }
  };
  return (
    <div class={`split ${table === undefined ? '' : 'wide'} ${id === undefined ? '' : 'open'}`}>
      <h1 class="visually-hidden">{title}</h1>
      <section class="list" aria-label={title}>
        <header class="list-head">
          <GroupLinks screen={screen} />
        </header>
        {about === undefined ? null : <p class="list-words">{about}</p>}
        <SearchField
          text={text}
          filters={filters}
          filterButtons={filterButtons}
          onChange={setSearch}
          list={unknown[0] === undefined ? list : undefined}
        >
          {actions}
        </SearchField>
        {unknown[0] === undefined ? (
          <ListContent definition={definition} list={list} isFiltered={text !== ''} openId={id} search={text} />
        ) : (
          <Empty title={unknownFilterMessage(unknown[0], filters)}>
            <p>Put a text with a colon in quotes.</p>
          </Empty>
        )}
      </section>
      {id === undefined && table !== undefined ? null : (
        <section class="detail" aria-label="Detail" tabIndex={-1}>
          {id === undefined ? (
            (summary ?? <ListSummary {...{ screen, title, filters, filterButtons, list }} />)
          ) : (
            <div key={`${screen} ${id}`} class="detail-content">
              <a class="back" href={`${pathOf(screen)}${table === undefined ? '' : searchQuery(text)}`}>
                ‹ {title}
              </a>
              {detail(id)}
            </div>
          )}
        </section>
      )}
    </div>
  );
}

/** A list that follows changes. `source` must be the same at each rendering. */
export function useLiveList<Item extends ListItem>(
  source: ListDefinition<Item>['source'],
  query: Query,
): FollowedList<Item> | undefined {
  const queryText = JSON.stringify(query);
  const [list, setList] = useState<FollowedList<Item>>();
  useEffect(() => {
    const parsed: Query = JSON.parse(queryText);
    const followed = typeof source === 'function' ? source(parsed) : new LiveList<Item>({ ...source, query: parsed });
    setList(followed);
    return () => followed.stop();
  }, [queryText, source]);
  return list;
}

function ListContent<Item extends ListItem>({
  definition: { screen, title, row, table, empty, isLog = false },
  list,
  isFiltered,
  openId,
  search,
}: {
  definition: ListDefinition<Item>;
  list: FollowedList<Item> | undefined;
  isFiltered: boolean;
  openId: string | undefined;
  search: string;
}) {
  const hrefOf = (id: string) => `${pathOf(screen, id)}${searchQuery(search)}`;
  if (list === undefined || (list.status.value === 'loading' && list.items.value.length === 0)) {
    return <div class="rows" aria-busy="true" />;
  }
  if (list.status.value === 'failed') {
    return <LoadingOrProblem problem={list.problem.value} />;
  }
  if (list.items.value.length === 0) {
    return isFiltered ? <Empty title="No matches">{<p>Remove a word from the search.</p>}</Empty> : empty;
  }
  if (table !== undefined) {
    const isComplete = list.cursor.value === null && !list.isCut.value && list.heldCount.value === 0;
    return (
      <PagedItems list={list} className="books-page">
        {table(list.items.value, { hrefOf, isComplete })}
      </PagedItems>
    );
  }
  return <Rows list={list} row={row} hrefOf={hrefOf} openId={openId} logLabel={isLog ? title : undefined} />;
}

function searchQuery(search: string): string {
  return search === '' ? '' : `?q=${encodeURIComponent(search)}`;
}
