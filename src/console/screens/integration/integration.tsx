import {
  CHECKED_TITLE,
  conclusionOf,
  failedCallsIn,
  PREFACE,
  summaryRows,
  UNSEEN_TITLE,
  WRONG_TITLE,
} from '../../../base/report/report-words.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOfList, sessionName } from '../../address.ts';
import { Page } from '../../components/page.tsx';
import { Facts, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { Findings } from './findings.tsx';
import { UnseenCells } from './unseen-cells.tsx';
import { type IntegrationReport, useReport } from './use-report.ts';

/** Findings, checks and unseen behaviours, also for people who do not write code. */
export function Integration() {
  const { value: report, problem } = useReport();
  return (
    <Page
      screen="integration"
      title="My integration"
      className="integration"
      isBusy={report === undefined && problem === undefined}
    >
      <header class="record-head">
        <p class="record-kind">{`Session ${sessionName}`}</p>
        <h1>My integration</h1>
        {problem === undefined ? null : <p class="hint">{problem}</p>}
      </header>
      {report === undefined ? null : <ReportSections report={report} />}
    </Page>
  );
}

function ReportSections({ report: { findings, checked, coverage } }: { report: IntegrationReport }) {
  const hasFailedCalls = failedCallsIn(checked) > 0;
  const calls = checked.calls.map((call) => ({ ...call, of: inWords(call.of) }));
  return (
    <>
      <Section title={WRONG_TITLE} level={2}>
        <p class="conclusion" role="status" data-testid="integration-conclusion">
          {findings.length > 0 || hasFailedCalls ? <Shape tone="bad" /> : null}
          <span>
            {conclusionOf(findings, checked)}{' '}
            {hasFailedCalls ? <a href={pathOfList('traffic', 'refused:true')}>View these calls</a> : null}
          </span>
        </p>
        <p class="hint">{PREFACE}</p>
        <Findings findings={findings} />
      </Section>
      <Section title={CHECKED_TITLE} level={2}>
        <div data-testid="integration-checked">
          <Facts facts={summaryRows({ ...checked, calls })} />
        </div>
      </Section>
      <Section title={UNSEEN_TITLE} level={2}>
        <UnseenCells coverage={coverage} checked={checked} />
      </Section>
    </>
  );
}
