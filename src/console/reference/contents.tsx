import { useEffect, useRef, useState } from 'preact/hooks';
import type { Group } from './fetch-reference.ts';
import { Method } from './operation-view.tsx';

interface ContentsProps {
  groups: readonly Group[];
  current: string | undefined;
}

/** All operations in groups, with a search. A search unfolds all groups; otherwise the first and the current one are open. */
export function Contents({ groups, current }: ContentsProps) {
  const [phrase, setPhrase] = useState('');
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    setOpen(false);
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((each) => words.every((word) => each.words.includes(word))),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <nav class={`contents ${isOpen ? 'open' : ''}`} aria-label="Operations" ref={list}>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found.flatMap(({ operations }) => operations);
            if (first !== undefined) {
              location.hash = first.id;
            }
          }}
        >
          <input
            type="search"
            aria-label="Search operations"
            placeholder="Search operations"
            value={phrase}
            onInput={(event) => {
              setPhrase(event.currentTarget.value);
              setOpen(true);
            }}
          />
          <button type="button" class="button contents-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Operations
          </button>
        </form>
      </search>
      <div class="contents-list">
        <p role="status" class="quiet">
          {found.length === 0 ? `No matches for "${phrase.trim()}".` : ''}
        </p>
        {found.map((group, index) => (
          <details
            key={group.title}
            open={index === 0 || words.length > 0 || group.operations.some(({ id }) => id === current)}
          >
            <summary>{group.title}</summary>
            <ul>
              {group.operations.map(({ id, method, summary, path }) => (
                <li key={id}>
                  <a href={`#${id}`} aria-current={id === current ? 'page' : undefined} title={path}>
                    <Method method={method} /> <span>{summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </nav>
  );
}
