import {
  CLASSES,
  gapsIn,
  NOT_CORRECTNESS,
  UNCOUNTED_DEGREES,
  weightedFigureOf,
} from '../../base/report/coverage-words.ts';
import { renderReport } from '../../base/report/document.tsx';
import type { CoverageCell, CoverageClass, CoverageView } from '../../base/schema/generated/control.ts';

const TITLE = 'Behaviours that your code has seen';

export function pageOfCoverage(coverage: CoverageView): string {
  return renderReport(
    TITLE,
    <>
      <h1>{TITLE}</h1>
      <p class="conclusion">{weightedFigureOf(coverage)}</p>
      <p class="quiet">{NOT_CORRECTNESS}</p>
      <Classes coverage={coverage} heading="h2" />
    </>,
  );
}

/** Counts and gaps of each class. Gaps without any seen behaviour are folded; with `h3` all are, because the page has another subject. */
export function Classes({ coverage, heading }: { coverage: CoverageView; heading: Heading }) {
  return (
    <>
      <ul class="counts">
        {coverage.classes.map(({ class: name, seen, reachable }) => (
          <li class={seen === reachable ? 'handled' : 'inconclusive'}>
            <b>
              {seen} of {reachable}
            </b>{' '}
            <a href={`#${name}`}>{name}</a>
          </li>
        ))}
      </ul>
      {coverage.classes.map(({ class: name }) => (
        <Class name={name} cells={coverage.cells.filter((cell) => cell.class === name)} heading={heading} />
      ))}
    </>
  );
}

type Heading = 'h2' | 'h3';

function Class({ name, cells, heading: Heading }: { name: CoverageClass; cells: CoverageCell[]; heading: Heading }) {
  const gaps = gapsIn(cells);
  const seenCells = cells.filter(({ degree }) => degree === 'seen');
  return (
    <section aria-labelledby={name}>
      <Heading id={name}>
        {name}: {CLASSES[name]}
      </Heading>
      <div class="card">
        {gaps.length === 0 && seenCells.length > 0 ? <p class="handled">All seen.</p> : null}
        {gaps.map(({ of, missingCells, reachable }) => (
          <details open={Heading === 'h2' && missingCells.length < reachable}>
            <summary>
              {of}:{' '}
              <span class="inconclusive">
                {missingCells.length === reachable ? 'none' : reachable - missingCells.length}
              </span>{' '}
              of {reachable} seen
            </summary>
            {missingCells.map(({ what, degree, try: line }) => (
              <>
                <p>
                  {what} <span class="quiet">{degree === 'seen' ? '' : UNCOUNTED_DEGREES[degree]}</span>
                </p>
                <code class="command">{line}</code>
              </>
            ))}
          </details>
        ))}
        {seenCells.length === 0 ? null : (
          <details>
            <summary>Seen</summary>
            <p>{seenCells.map(({ of, what }) => `${of}: ${what}`).join('; ')}</p>
          </details>
        )}
      </div>
    </section>
  );
}
