import { useEffect, useRef, useState } from 'preact/hooks';
import { baseAddress } from '../address.ts';
import { Code, Section } from '../components/parts.tsx';
import { Contents } from './contents.tsx';
import type { DocumentedOperation, Group, Reference } from './fetch-reference.ts';
import { Method, OperationView } from './operation-view.tsx';
import { Prose } from './prose.tsx';

export function ReferencePage({ reference }: { reference: Reference }) {
  const id = useOperationId();
  const group = reference.groups.find(({ operations }) => operations.some((each) => each.id === id));
  const operation = group?.operations.find((each) => each.id === id);
  const tokenOperation = findTokenOperation(reference.groups, group);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${operation?.summary ?? 'API reference'} – merchant-sandbox`;
    if (!isFirst.current) {
      scrollTo(0, 0);
      main.current?.querySelector<HTMLElement>('h1')?.focus();
    }
    isFirst.current = false;
  }, [operation]);
  return (
    <div class="columns">
      <Contents groups={reference.groups} current={operation?.id} />
      <main ref={main} id="main">
        {operation === undefined ? (
          <Introduction reference={reference} />
        ) : (
          <OperationView key={operation.id} operation={operation} tokenOperation={tokenOperation} />
        )}
      </main>
    </div>
  );
}

/** The operation that returns tokens: that of the group if it has one, because each environment has its own. */
function findTokenOperation(groups: readonly Group[], group: Group | undefined): DocumentedOperation | undefined {
  const returnsTokens = ({ id }: DocumentedOperation) => id.startsWith('getAccessToken');
  return [group, ...groups].flatMap((each) => each?.operations ?? []).find(returnsTokens);
}

function useOperationId(): string {
  const read = () => decodeURIComponent(location.hash.slice(1)).split('/').at(-1) ?? '';
  const [id, setId] = useState(read);
  useEffect(() => {
    const follow = () => setId(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return id;
}

function Introduction({ reference: { about, groups } }: { reference: Reference }) {
  const [first] = groups;
  return (
    <div class="beginning">
      <h1 tabIndex={-1}>API reference</h1>
      <p>
        Every call that this sandbox answers. Choose one to see its fields and responses, and to send it. Also available
        as an <a href="openapi.json">OpenAPI document</a>.
      </p>
      <Section title="Base address" level={2}>
        <Code text={baseAddress} label="Base address" isWrapped />
      </Section>
      {first === undefined ? null : (
        <Section title={first.title} level={2}>
          <p>{first.about}</p>
          <ul class="first-operations">
            {first.operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`}>{summary}</a>
                <span>
                  <Method method={method} /> <code>{path}</code>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Answers and clients" level={2}>
        <div class="prose">
          <Prose text={about} />
        </div>
      </Section>
    </div>
  );
}
