import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../../base/text/plural.ts';
import { inWords } from '../../base/text/words.ts';
import { Icon } from '../components/icon.tsx';
import { OneLine } from '../components/one-line.tsx';
import { toggleFilter } from '../filter.ts';
import type { FollowedList } from '../live-list.ts';

/** The pause in typing after which the search starts. */
const PAUSE_MS = 250;

/** A value of the first filter, and its label; default: the value in words. */
export type FilterButton = string | { value: string; label: string };

/** The buttons of the first filter, each with its filter and label. */
export function labelButtons([first = '']: readonly string[], filterButtons: readonly FilterButton[]) {
  return filterButtons.map((button) => ({
    filter: first,
    ...(typeof button === 'string' ? { value: button, label: inWords(button) } : button),
  }));
}

/** In a narrow window, the field has no space for an example. */
const NARROW = matchMedia('(max-width: 60rem)');

interface SearchFieldProps {
  text: string;
  filters: readonly string[];
  filterButtons: readonly FilterButton[];
  onChange(text: string): void;
  list: FollowedList<unknown> | undefined;
  /** Buttons beside the field. */
  children: ComponentChildren;
}

export function SearchField({ text, filters, filterButtons, onChange, list, children }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  // A text that this field sent must not overwrite later typing, so only a text from elsewhere replaces the content.
  const sent = useRef(text);
  // The latest callback, because another screen may be open when the timer fires.
  const send = useRef(onChange);
  send.current = onChange;
  useLayoutEffect(() => {
    if (text !== sent.current) {
      clearTimeout(timer.current);
      sent.current = text;
      setTyped(text);
    }
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (words: string, isImmediate: boolean) => {
    setTyped(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => {
        sent.current = words.trim();
        send.current(sent.current);
      },
      isImmediate ? 0 : PAUSE_MS,
    );
  };
  const buttons = labelButtons(filters, filterButtons);
  // Users recognize the example only if its value is on a button.
  const [first] = buttons.filter(({ value, label }) => label.startsWith(inWords(value)));
  const example = first === undefined ? '' : `${first.filter}:${first.value}`;
  const isOn = (filter: string, value: string) =>
    typed.toLowerCase().split(/\s+/).includes(`${filter}:${value}`.toLowerCase());
  return (
    <div class="find">
      <div class="find-line">
        <div class="find-field">
          <Icon name="search" />
          <input
            id="search"
            type="search"
            aria-label="Search"
            aria-describedby="search-hint"
            placeholder={NARROW.matches || example === '' ? 'Search' : `Search, or ${example}`}
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={({ currentTarget }) => change(currentTarget.value, false)}
          />
          <kbd>/</kbd>
        </div>
        {children}
      </div>
      <p id="search-hint" class="visually-hidden">
        Words are searched in all fields. Filters: {filters.join(', ')}
        {example && `, for example ${example}`}.
      </p>
      <div class="find-more">
        <OneLine
          more="More"
          all="Filter"
          className="chip"
          choices={buttons.map(({ filter, value, label }) => ({
            key: value,
            label,
            isChosen: isOn(filter, value),
            run: () => change(toggleFilter(typed, filter, value), true),
          }))}
          render={({ label, isChosen, run }) => (
            <button type="button" class="chip" aria-pressed={isChosen} onClick={run}>
              {label}
            </button>
          )}
        />
        {list === undefined ? null : <RowCountAndFollow list={list} />}
      </div>
    </div>
  );
}

function RowCountAndFollow({ list }: { list: FollowedList<unknown> }) {
  const isOn = list.isFollowing.value;
  const count = list.items.value.length;
  return (
    <>
      <span class="count" aria-live="polite" data-testid="count">
        {list.cursor.value === null ? plural(count, 'row') : list.isCut.value ? `${count} shown` : `newest ${count}`}
      </span>
      <button
        type="button"
        id="follow"
        class={`chip follow ${isOn ? 'chosen' : ''}`}
        title={isOn ? 'New rows appear as they arrive. Pause (f)' : 'New rows are held back. Show them (f)'}
        onClick={() => list.setFollowing(!isOn)}
      >
        {isOn ? 'Live' : 'Paused'}
      </button>
    </>
  );
}
