import { useMemo } from 'preact/hooks';
import type { RequestView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { JsonView } from '../../components/json-view.tsx';
import { Headers, parseBody } from '../../components/message.tsx';
import { Section } from '../../components/parts.tsx';

export function Exchange({ request }: { request: RequestView }) {
  const { body, query, findings, headers, answer } = request;
  const answerBody = useMemo(() => parseBody(answer?.body ?? ''), [answer]);
  const hasQuery = Object.keys(query).length > 0;
  const findingsText = findings.length === 0 ? '' : ` · ${plural(findings.length, 'finding')}`;
  return (
    <div class="exchange">
      <Section title={`Request${findingsText}`}>
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
            <JsonView value={answerBody} label="Answer body" />
            <Headers headers={answer.headers} />
          </>
        )}
      </Section>
    </div>
  );
}
