import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api.ts';
import { findSections, type GuideSection } from './find-sections.ts';

/** The most results that are shown; a further word narrows the search. */
const MAX_RESULTS = 30;

/** Shows sections of the guide that match a search, in place of the contents. The index is fetched when the field is first used. */
export function Search({ contents }: { contents: HTMLElement }) {
  const [phrase, setPhrase] = useState('');
  const [sections, setSections] = useState<readonly GuideSection[]>();
  const [problem, setProblem] = useState('');
  const isRequested = useRef(false);
  const isSearched = phrase.trim() !== '';
  useEffect(() => {
    contents.hidden = isSearched;
  }, [isSearched]);
  const fetchOnce = () => {
    if (!isRequested.current) {
      isRequested.current = true;
      fetchSections().then(setSections, (error: unknown) => setProblem(messageOf(error)));
    }
  };
  const found = isSearched && sections !== undefined ? findSections(sections, phrase).slice(0, MAX_RESULTS) : [];
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found;
          if (first !== undefined) {
            location.href = addressOf(first);
          }
        }}
      >
        <input
          type="search"
          aria-label="Search the guide"
          placeholder="Search the guide"
          value={phrase}
          onFocus={fetchOnce}
          onInput={(event) => {
            fetchOnce();
            setPhrase(event.currentTarget.value);
          }}
        />
        <p role="status">
          {problem}
          {isSearched && sections !== undefined && found.length === 0 ? `No matches for "${phrase.trim()}".` : ''}
        </p>
        {found.length === 0 ? null : (
          <ol class="found">
            {found.map((section) => (
              <li key={addressOf(section)}>
                <a href={addressOf(section)}>
                  <span class="found-heading">{section.heading}</span>
                  {section.heading === section.title ? null : <span class="found-page">{section.title}</span>}
                </a>
              </li>
            ))}
          </ol>
        )}
      </form>
    </search>
  );
}

function addressOf({ page, id }: GuideSection): string {
  return id === '' ? page : `${page}#${id}`;
}

async function fetchSections(): Promise<readonly GuideSection[]> {
  const answer = await fetch('search.json');
  if (!answer.ok) {
    throw new Error(`The search index could not be loaded (status ${answer.status}).`);
  }
  return answer.json();
}
