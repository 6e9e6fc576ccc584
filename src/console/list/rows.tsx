import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { plural } from '../../base/text/plural.ts';
import { Moment } from '../components/parts.tsx';
import type { FollowedList, ListItem } from '../live-list.ts';

/** One row of a list: a shape, two lines of text, and the value on the right. */
export interface RowContent {
  shape: ComponentChildren;
  title: ComponentChildren;
  detail: ComponentChildren;
  value?: ComponentChildren;
  at: string;
}

interface RowsProps<Item extends ListItem> {
  list: FollowedList<Item>;
  row(item: Item): RowContent;
  hrefOf(id: string): string;
  openId: string | undefined;
  /** The label of the list, if it is a log. */
  logLabel: string | undefined;
}

export function Rows<Item extends ListItem>({ list, row, hrefOf, openId, logLabel }: RowsProps<Item>) {
  return (
    <PagedItems list={list}>
      <div {...(logLabel === undefined ? {} : { role: 'log', 'aria-label': logLabel, 'aria-live': 'polite' })}>
        {logLabel === undefined ? <p class="rows-head quiet">Created</p> : null}
        <ol>
          {list.items.value.map((item) => (
            <Row
              key={item.id}
              item={item}
              row={row}
              href={hrefOf(String(item.id))}
              isOpen={String(item.id) === openId}
            />
          ))}
        </ol>
      </div>
    </PagedItems>
  );
}

interface PagedItemsProps<Item extends ListItem> {
  list: FollowedList<Item>;
  className?: string;
  children: ComponentChildren;
}

export function PagedItems<Item extends ListItem>({ list, className = '', children }: PagedItemsProps<Item>) {
  return (
    <div class={`rows ${className}`}>
      {list.isCut.value ? (
        <button type="button" class="held" onClick={() => list.setFollowing(true)}>
          Newer rows are not shown. Show the newest
        </button>
      ) : null}
      {list.heldCount.value === 0 || list.isCut.value ? null : (
        <button type="button" class="held" onClick={() => list.setFollowing(true)}>
          Show {plural(list.heldCount.value, 'new row')}
        </button>
      )}
      {children}
      {list.cursor.value === null ? null : (
        <button type="button" class="button older" onClick={() => list.loadOlder()}>
          Show older rows
        </button>
      )}
    </div>
  );
}

interface RowProps<Item> {
  item: Item;
  row(item: Item): RowContent;
  href: string;
  isOpen: boolean;
}

/** A row that is only rendered again if one of its properties has changed. */
function Row<Item>({ item, row, href, isOpen }: RowProps<Item>) {
  return useMemo(() => <RowLine {...row(item)} href={href} isOpen={isOpen} />, [item, href, isOpen, row]);
}

/** Scrolls only the list, because `scrollIntoView` would also move the place from which Tab continues. */
function scrollTo(row: HTMLElement | null): void {
  const list = row?.closest('.rows');
  if (row && list) {
    const [{ top, bottom }, view] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += Math.max(0, bottom - view.bottom) + Math.min(0, top - view.top);
  }
}

/** Scrolls into view when its item is opened. */
export function RowLine({
  shape,
  title,
  detail,
  value,
  at,
  href,
  isOpen = false,
}: RowContent & { href: string; isOpen?: boolean }) {
  return (
    <li>
      <a class="row" href={href} aria-current={isOpen ? 'true' : undefined} ref={isOpen ? scrollTo : null}>
        <span class="row-shape">{shape}</span>
        <span class="row-title">{title}</span>
        <span class="row-value">{value}</span>
        <span class="row-detail">{detail}</span>
        <span class="row-time">
          <Moment at={at} />
        </span>
      </a>
    </li>
  );
}
