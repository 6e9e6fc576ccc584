import type { ComponentChildren } from 'preact';
import { renderFacts, renderReport } from '../../base/report/document.tsx';
import { plural } from '../../base/text/plural.ts';
import { causesIn } from '../verdicts/causes.ts';
import { INVARIANTS } from '../verdicts/invariants.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdicts.ts';
import { checkListTable } from './check-list-table.tsx';
import { matrix } from './matrix.tsx';
import {
  extentOf,
  findingNameOf,
  prefaceOf,
  type Report,
  reasonsFor,
  reportTitleOf,
  situationTitleOf,
  slowestLines,
  VERDICT_WORDS,
} from './report.ts';
import { verdictMark } from './verdict-mark.tsx';
import { violations } from './violations.tsx';

/** The examination as one HTML file that needs no network. */
export function pageOf(report: Report): string {
  const [disclaimer, ...limits] = prefaceOf(report);
  return renderReport(
    reportTitleOf(report),
    <>
      {headOf(report, limits)}
      {sectionsOf(report).map(({ id, title, content }) => (
        <section aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {content}
        </section>
      ))}
      <p class="quiet">{disclaimer}</p>
    </>,
  );
}

function headOf(report: Report, limits: readonly string[]) {
  return (
    <>
      <h1>{reportTitleOf(report)}</h1>
      <p class="conclusion">{conclusionOf(report)}</p>
      {report.uncounted ? <p class="conclusion inconclusive">{report.uncounted.note}</p> : null}
      {limits.length === 0 ? null : <p class="quiet">{limits.join(' ')}</p>}
      {countsOf(report)}
      <div class="card">{renderFacts(factsIn(report))}</div>
      <nav aria-label="Sections of this report">
        <ul>
          {sectionsOf(report).map(({ id, title }) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

interface Section {
  id: string;
  title: string;
  content: ComponentChildren;
}

function sectionsOf(report: Report): Section[] {
  const articles = violations(report);
  return [
    { id: 'violated', title: 'Violated', content: articles.length > 0 ? articles : <p>Nothing.</p> },
    { id: 'tried', title: 'Results by situation', content: matrix(report) },
    { id: 'findings', title: 'Findings about calls and answers', content: findingsIn(report) },
    { id: 'not-exercised', title: 'Not exercised', content: reasons('not-exercised', report) },
    { id: 'inconclusive', title: 'Inconclusive', content: reasons('inconclusive', report) },
    { id: 'not-applicable', title: 'Not applicable', content: reasons('not-applicable', report) },
    {
      id: 'check-lists',
      title: "Common items on providers' checklists",
      content: checkListTable(report),
    },
  ];
}

/** Claims no more than was observed. */
function conclusionOf(report: Report): string {
  const violated = report.verdicts.filter(({ verdict }) => verdict === 'violated');
  const count = new Set(violated.map(({ invariant }) => invariant)).size;
  if (count > 0) {
    const causes = plural(causesIn(report.verdicts).length, 'cause');
    return `${count} of ${INVARIANTS.length} invariants ${count === 1 ? 'is' : 'are'} violated, by ${causes}.`;
  }
  const { handled, inconclusive, 'handled-after-reconcile': reconciled } = report.counts;
  if (handled + reconciled === 0) {
    return `The examination of this ${report.subject} was inconclusive.`;
  }
  return inconclusive > 0
    ? 'No violations were found, but some verdicts are inconclusive.'
    : 'No violations were found in the situations that were tried.';
}

function countsOf({ counts }: Report) {
  return (
    <ul class="counts">
      {VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === 'violated').map((verdict) => (
        <li class={counts[verdict] > 0 ? verdict : 'quiet'}>
          <b>{counts[verdict]}</b> {VERDICT_WORDS[verdict]}
        </li>
      ))}
    </ul>
  );
}

function factsIn(report: Report): (readonly [string, string])[] {
  const { seed, words, requirements, facts } = report;
  const states = `open: ${listOf(words.open)}; paid: ${listOf(words.paid)}; given up: ${listOf(words.givenUp)}`;
  return [
    ...(facts ? facts.named : []),
    ...(facts ? [['Sandbox', `merchant-sandbox ${facts.version}`] as const] : []),
    ...(facts ? [['Finished', `${facts.at.slice(0, 10)} ${facts.at.slice(11, 19)} UTC`] as const] : []),
    ['Extent', [extentOf(report), ...slowestLines(report)].join('; ')],
    ['Requirements', requirements],
    ['Seed', String(seed)],
    ["The shop's order states", states],
  ];
}

function listOf(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}

function findingsIn({ findings }: Report) {
  return findings.length === 0 ? (
    <p>Nothing.</p>
  ) : (
    <ul class="card reasons">
      {findings.map(({ id, meaning, advice, expected, received, situation, channel }) => (
        <li>
          <p>
            <b>{id}</b> {meaning}
          </p>
          <p>{advice}</p>
          <p class="ids">{`${situationTitleOf(situation)}, on ${channel}: expected ${expected}, received ${received}`}</p>
        </li>
      ))}
    </ul>
  );
}

function reasons(verdict: Verdict, report: Report) {
  const found = reasonsFor(verdict, report);
  return found.length === 0 ? (
    <p>Nothing.</p>
  ) : (
    <ul class="card reasons">
      {found.map(({ reason, verdicts }) => (
        <li>
          <p class={verdict}>{verdictMark(verdict)}</p>
          <p>{reason}</p>
          <p class="ids">{verdicts.map(findingNameOf).join(', ')}</p>
        </li>
      ))}
    </ul>
  );
}
