import { useMemo } from 'preact/hooks';
import type { RequestView } from '../../../base/schema/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { JsonView } from '../../components/json-view.tsx';
import { Section } from '../../components/parts.tsx';

/** Request and answer side by side. */
export function Exchange({ request }: { request: RequestView }) {
  const { body, query, findings, headers, answer } = request;
  const answered = useMemo(() => parsed(answer?.body ?? ''), [answer]);
  const hasQuery = Object.keys(query).length > 0;
  const wrong = findings.length === 0 ? '' : ` · ${plural(findings.length, 'finding')}`;
  return (
    <div class="exchange">
      <Section title={`Request${wrong}`}>
        {body === undefined && !hasQuery && findings.length === 0 ? (
          <p class="hint">No body.</p>
        ) : (
          <JsonView value={body ?? (hasQuery ? query : undefined)} label="Request body" findings={findings} />
        )}
        <Headers headers={headers} />
      </Section>
      <Section title="Answer">
        {answer === null ? (
          <p class="hint">No answer was sent: the connection was cut or the caller hung up.</p>
        ) : (
          <>
            <JsonView value={answered} label="Answer body" />
            <Headers headers={answer.headers} />
          </>
        )}
      </Section>
    </div>
  );
}

function Headers({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  return (
    <details class="headers">
      <summary>{plural(Object.keys(headers).length, 'header')}</summary>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** JSON as a value, anything else as the text that it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
