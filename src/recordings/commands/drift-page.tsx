import { renderFacts, renderReport } from '../../base/report/document.tsx';
import type { Difference, DriftReport } from '../../base/schema/generated/recordings.ts';
import { differenceLines, noiseLines, notComparedLines } from './drift-text.ts';
import { comparedLine, factsIn, groupsIn, titleOf, verdictOf } from './drift-words.ts';

const TITLE = 'Drift report';

/** The report as one HTML file that needs no network. */
export function pageOfDrift(report: DriftReport): string {
  return renderReport(
    TITLE,
    <>
      <p class="quiet">merchant-sandbox {report.version}</p>
      <h1>{TITLE}</h1>
      <p class="conclusion">{verdictOf(report)}</p>
      <div class="card">{renderFacts([...factsIn(report), ['Compared', comparedLine(report)]])}</div>
      {report.notices.map((notice) => (
        <p>{notice}</p>
      ))}
      {groupsIn(report.differences).map(([group, all]) => (
        <section>
          <h2>{group}</h2>
          {all.map(cardOf)}
        </section>
      ))}
      {[notComparedLines(report), noiseLines(report)].map((lines) => (
        <pre class="quiet">{lines.join('\n')}</pre>
      ))}
    </>,
  );
}

function cardOf(difference: Difference) {
  return (
    <article class="card violation">
      <h3>{`${difference.id}: ${titleOf(difference)}`}</h3>
      <ul class="reasons">
        {differenceLines(difference).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </article>
  );
}
