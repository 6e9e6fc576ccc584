import type { ComponentChildren } from 'preact';
import { renderFacts, renderReport } from '../../base/report/document.tsx';
import {
  CHECKED_TITLE,
  extentOf,
  headingOf,
  PREFACE,
  summaryRows,
  UNSEEN_TITLE,
  WRONG_TITLE,
  withoutUnused,
} from '../../base/report/report-words.ts';
import { Classes } from './coverage-page.tsx';
import { linesOfEvidence } from './findings.ts';
import type { SessionReport } from './session-report.ts';
import { conclusionIn, factsIn, titleOf } from './session-report-words.ts';

export function pageOfReport(report: SessionReport): string {
  const { findings, checked } = report;
  const conclusion = conclusionIn(report);
  const coverage = withoutUnused(report.coverage, checked);
  return renderReport(
    titleOf(report),
    <>
      <h1>{titleOf(report)}</h1>
      <p class="conclusion">{conclusion}</p>
      <p class="quiet">{PREFACE}</p>
      <div class="card">{renderFacts(factsIn(report))}</div>
      <Part id="wrong" title={WRONG_TITLE}>
        {findings.length === 0 ? <p>{conclusion}</p> : findings.map((finding) => <Finding finding={finding} />)}
      </Part>
      <Part id="checked" title={CHECKED_TITLE}>
        <div class="card">{renderFacts(summaryRows(checked))}</div>
      </Part>
      <Part id="unseen" title={UNSEEN_TITLE}>
        <p>{extentOf(coverage)}</p>
        <Classes coverage={coverage} heading="h3" />
      </Part>
    </>,
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Finding({ finding }: { finding: SessionReport['findings'][number] }) {
  const { id, meaning, advice } = finding;
  return (
    <article class="card violation" aria-labelledby={id}>
      <h3 id={id}>{`${id}: ${meaning}`}</h3>
      <h4>What to do</h4>
      <p>{advice}</p>
      <p class="ids">{`${headingOf(finding)}. ${linesOfEvidence(finding).join('; ')}`}</p>
    </article>
  );
}
