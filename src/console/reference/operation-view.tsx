import { JsonView } from '../components/json-view.tsx';
import { Copy, Section } from '../components/parts.tsx';
import type { DocumentedOperation, DocumentedResponse, Parameter } from './fetch-reference.ts';
import { Field, Fields } from './fields.tsx';
import { InlineText, Prose } from './prose.tsx';
import { TryIt } from './try-it.tsx';

const TITLES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' };

export function OperationView({
  operation,
  tokenOperation,
}: {
  operation: DocumentedOperation;
  tokenOperation: DocumentedOperation | undefined;
}) {
  const { method, path, summary, description, needsToken, body, responses } = operation;
  return (
    <article class="operation" data-operation={operation.id}>
      <div class="operation-text">
        <h1 tabIndex={-1}>{summary}</h1>
        {path === undefined ? null : (
          <p class="address">
            <Method method={method} /> <code>{path}</code> <Copy text={path} label="Copy path" />
          </p>
        )}
        <div class="prose">
          <Prose text={description} />
          {needsToken ? (
            <p>
              Requires a token: <code>Authorization: Bearer …</code>
            </p>
          ) : null}
        </div>
        <Parameters operation={operation} place="path" />
        <Parameters operation={operation} place="query" />
        {body === undefined ? null : (
          <Section title="Request body" level={2} extra={<code class="quiet">{body.mediaType}</code>}>
            <Fields schema={body.schema} />
          </Section>
        )}
        <Parameters operation={operation} place="header" />
        <Section title="Responses" level={2}>
          {responses.map((response) => (
            <ResponseView key={response.status} response={response} />
          ))}
        </Section>
      </div>
      <TryIt operation={operation} tokenOperation={tokenOperation} />
    </article>
  );
}

export function Method({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

function Parameters({ operation, place }: { operation: DocumentedOperation; place: Parameter['in'] }) {
  const parameters = operation.parameters.filter((each) => each.in === place);
  return parameters.length === 0 ? null : (
    <Section title={TITLES[place]} level={2}>
      <ul class="fields">
        {parameters.map(({ name, schema, required = false, description }) => (
          <Field key={name} name={name} schema={schema} isRequired={required} description={description} />
        ))}
      </ul>
    </Section>
  );
}

function ResponseView({ response: { status, description, headers, body } }: { response: DocumentedResponse }) {
  const isSuccess = status.startsWith('2');
  const [example] = body?.examples.values() ?? [];
  return (
    <details class="outcome" open={isSuccess}>
      <summary>
        <span class={`state ${isSuccess ? 'good' : 'bad'}`}>{status}</span> <InlineText text={description} />
      </summary>
      {body === undefined ? null : <Fields schema={body.schema} />}
      {isSuccess || typeof example?.value !== 'object' ? null : (
        <JsonView value={example.value} label={`Response ${status}`} />
      )}
      {headers.length === 0 || !isSuccess ? null : (
        <details>
          <summary>Headers</summary>
          <ul class="fields">
            {headers.map(([name, { description: meaning = '' }]) => (
              <li key={name} class="field-of">
                <p class="field-head">
                  <code class="field-name">{name}</code>
                </p>
                <p>
                  <InlineText text={meaning} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </details>
  );
}
