import { timesOf } from '../../../base/report/report-words.ts';
import type { IntegrationFinding } from '../../../base/schema/generated/control.ts';
import { capitalize, inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { Code } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';

export function Findings({ findings }: { findings: readonly IntegrationFinding[] }) {
  return (
    <>
      {findings.map((finding) => (
        <Finding key={finding.id} finding={finding} />
      ))}
    </>
  );
}

function Finding({ finding }: { finding: IntegrationFinding }) {
  const { id, name, meaning, advice, count, expected, received, calls, records } = finding;
  const shownBy = [...calls, ...records];
  return (
    <article class="violation" data-testid="finding" aria-labelledby={id}>
      <h3 id={id}>
        <Shape tone="bad" />
        <span>{inWords(name).replace('receiver', 'endpoint')}</span>
      </h3>
      <dl>
        <dt>What it means</dt>
        <dd>{meaning}</dd>
        <dt>What was seen</dt>
        <dd>{`${capitalize(timesOf(finding))}. Expected ${expected}, received ${received}.`}</dd>
        <dt>Where</dt>
        <dd>
          {shownBy.map((each, index) => (
            <>
              {index === 0 ? '' : ', '}
              <Evidence key={each} id={each} isCall={index < calls.length} />
            </>
          ))}
          {count > shownBy.length ? ', …' : ''}
        </dd>
        <dt>How to fix it</dt>
        <dd>{advice}</dd>
      </dl>
      <details>
        <summary>How to suppress it</summary>
        <p class="hint hint-above">If this is intentional, start the sandbox without this finding:</p>
        <Code text={`npx merchant-sandbox start --ignore-findings ${id}`} label={`Command without ${id}`} isWrapped />
      </details>
    </article>
  );
}

function Evidence({ id, isCall }: { id: string; isCall: boolean }) {
  const screen = isCall || id.startsWith('delivery-') ? 'traffic' : 'payments';
  return <a href={pathOf(screen, id)}>{id}</a>;
}
