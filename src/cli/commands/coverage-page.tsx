import {
  CLASSES,
  type Gap,
  gapsIn,
  NOT_CORRECTNESS,
  UNCOUNTED_DEGREES,
  weightedFigureOf,
} from '../../base/report/coverage-words.ts';
import { documentOf } from '../../base/report/document.tsx';
import type { CoverageCell, CoverageClass, CoverageView } from '../../base/schema/control.ts';

const TITLE = 'Behaviours that your code has seen';

/** What was seen and what was not, as one HTML file that needs no network. */
export function pageOfCoverage(coverage: CoverageView): string {
  return documentOf(
    TITLE,
    <>
      <h1>{TITLE}</h1>
      <p class="conclusion">{weightedFigureOf(coverage)}</p>
      <p class="quiet">{NOT_CORRECTNESS}</p>
      <Classes coverage={coverage} heading="h2" />
    </>,
  );
}

interface ClassesProps {
  coverage: CoverageView;
  heading: Heading;
  /** Which gaps are listed. */
  gapsOf?: (cells: readonly CoverageCell[]) => Gap[];
}

/** How much of each class was seen, and what was not, which is folded where it is not the page's own subject. */
export function Classes({ coverage, heading, gapsOf = gapsIn }: ClassesProps) {
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
        <Class
          name={name}
          cells={coverage.cells.filter((cell) => cell.class === name)}
          heading={heading}
          gapsOf={gapsOf}
        />
      ))}
    </>
  );
}

/** Of each class; `h3` where the page has another subject. */
type Heading = 'h2' | 'h3';

interface ClassFacts {
  name: CoverageClass;
  cells: readonly CoverageCell[];
  heading: Heading;
  gapsOf(cells: readonly CoverageCell[]): Gap[];
}

function Class({ name, cells, heading: Heading, gapsOf }: ClassFacts) {
  const gaps = gapsOf(cells);
  const seen = cells.filter(({ degree }) => degree === 'seen');
  return (
    <section aria-labelledby={name}>
      <Heading id={name}>
        {name}: {CLASSES[name]}
      </Heading>
      <div class="card">
        {seen.length === cells.length ? <p class="handled">All seen.</p> : null}
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
        {seen.length === 0 ? null : (
          <details>
            <summary>Seen</summary>
            <p>{seen.map(({ of, what }) => `${of}: ${what}`).join('; ')}</p>
          </details>
        )}
      </div>
    </section>
  );
}
