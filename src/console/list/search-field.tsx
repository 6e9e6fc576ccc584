import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../../base/text/plural.ts';
import { Icon } from '../components/icon.tsx';
import { toggled } from '../filter.ts';
import type { LiveList } from '../live-list.ts';

/** How long a pause in typing is, in milliseconds. */
const PAUSE_MS = 250;

interface SearchFieldProps {
  text: string;
  filters: readonly string[];
  offered: readonly string[];
  onChange(text: string): void;
  list: LiveList<{ id: string | number }> | undefined;
}

/** Words and filters in one field; whether the list follows what is new, and how long it is. */
export function SearchField({ text, filters, offered, onChange, list }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => setTyped(text), [text]);
  const change = (words: string, isAtOnce: boolean) => {
    setTyped(words);
    clearTimeout(timer.current ?? undefined);
    timer.current = setTimeout(() => onChange(words.trim()), isAtOnce ? 0 : PAUSE_MS);
  };
  const [first = ''] = filters;
  const isOn = (value: string) => typed.toLowerCase().split(/\s+/).includes(`${first}:${value}`.toLowerCase());
  return (
    <div class="find">
      <div class="find-field">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          aria-label="Search"
          aria-describedby="search-hint"
          placeholder={`Search, or ${first}:${offered[0] ?? '…'}`}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => change(currentTarget.value, false)}
        />
        <kbd>/</kbd>
      </div>
      <p id="search-hint" class="unseen">
        Words are found anywhere. Filters: {filters.join(', ')}, as {first}:{offered[0]}.
      </p>
      <div class="find-more">
        <div class="chips">
          {offered.map((value) => (
            <button
              type="button"
              key={value}
              class="chip"
              aria-pressed={isOn(value)}
              onClick={() => change(toggled(typed, first, value), true)}
            >
              {value}
            </button>
          ))}
        </div>
        {list === undefined ? null : <Following list={list} />}
      </div>
    </div>
  );
}

function Following({ list }: { list: LiveList<{ id: string | number }> }) {
  const isOn = list.isFollowing.value;
  const count = list.items.value.length;
  return (
    <>
      <span class="count" aria-live="polite" data-testid="count">
        {list.cursor.value === null ? plural(count, 'row') : `${count}+ rows`}
      </span>
      <button
        type="button"
        id="follow"
        class="chip follow"
        aria-pressed={isOn}
        title="Whether new ones go on top (f)"
        onClick={() => list.follow(!isOn)}
      >
        Follow
      </button>
    </>
  );
}
