import { useMemo } from 'preact/hooks';
import type { Finding } from '../../base/schema/generated/control.ts';
import { apiAddress } from '../address.ts';
import { Icon } from './icon.tsx';
import { type JsonViewLine, linesOf } from './json-view-lines.ts';
import { Copy, KEYBOARD_SCROLLABLE } from './parts.tsx';

interface JsonViewProps {
  value: unknown;
  label: string;
  findings?: readonly Finding[];
}

const NO_FINDINGS: readonly Finding[] = [];

export function JsonView({ value, label, findings = NO_FINDINGS }: JsonViewProps) {
  const lines = useMemo(() => linesOf(value, findings), [value, findings]);
  return (
    <div class="code json">
      <section class="json-lines" aria-label={label} {...KEYBOARD_SCROLLABLE}>
        {lines.map((line, index) => (
          <JsonLine key={index} line={line} />
        ))}
      </section>
      <Copy text={JSON.stringify(value, null, 2) ?? ''} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

function JsonLine({ line: { path, depth, name, text, kind, findings } }: { line: JsonViewLine }) {
  const isWrong = findings.some(({ severity }) => severity === 'error');
  return (
    <div class={`json-line ${isWrong ? 'wrong' : ''}`} style={{ '--depth': String(depth) }}>
      <span class="json-text">
        {name === '' ? null : <span class="json-name">{name}: </span>}
        <span class={`json-${kind}`}>{text}</span>
      </span>
      {findings.map((finding) => (
        <FindingNote key={`${finding.path} ${finding.expected}`} finding={finding} linePath={path} />
      ))}
    </div>
  );
}

function FindingNote({
  finding: { path, expected, received, severity, id },
  linePath,
}: {
  finding: Finding;
  linePath: string;
}) {
  return (
    <span class={`finding ${severity === 'error' ? 'bad' : 'wait'}`} data-testid="finding">
      <Icon name="warning" />
      <span>
        {path === linePath ? null : <code>{path} </code>}
        <span class="visually-hidden">Wrong: </span>expected {expected}, <b>received {received}</b>
        {id === undefined ? null : (
          <>
            {' '}
            <a href={`${apiAddress}guide/${id}`}>{id}</a>
          </>
        )}
      </span>
    </span>
  );
}
