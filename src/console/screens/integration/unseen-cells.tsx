import type { CheckSummary } from '../../../base/report/check-summary.ts';
import { CLASSES, type Gap, gapsIn, UNCOUNTED_DEGREES } from '../../../base/report/coverage-words.ts';
import { extentOf, withoutUnused } from '../../../base/report/report-words.ts';
import type { CoverageClass, CoverageView } from '../../../base/schema/generated/control.ts';
import { capitalize, inWords } from '../../../base/text/words.ts';
import { Code } from '../../components/parts.tsx';
import { channelName } from '../../record/channel-names.ts';

/** Behaviours that the integration has never seen, by class, each with a line that tests it. */
export function UnseenCells({ coverage, checked }: { coverage: CoverageView; checked: CheckSummary }) {
  const used = withoutUnused(coverage, checked);
  return (
    <div data-testid="integration-unseen">
      <p class="lead">{extentOf(used)}</p>
      {used.classes.map(({ class: name, seen, reachable }) => (
        <section key={name} aria-labelledby={`unseen-${name}`}>
          <h3 id={`unseen-${name}`}>{`${capitalize(name)}: ${seen} of ${reachable}, ${CLASSES[name]}`}</h3>
          <Gaps name={name} gaps={gapsIn(used.cells.filter((cell) => cell.class === name))} />
        </section>
      ))}
    </div>
  );
}

/** Functions that name the parts of a class; parts of other classes are shown as they are. */
const PART_NAMES: Partial<Record<CoverageClass, (of: string) => string>> = { outcomes: channelName, faults: inWords };

function Gaps({ name, gaps }: { name: CoverageClass; gaps: readonly Gap[] }) {
  if (gaps.length === 0) {
    return <p class="hint">All seen.</p>;
  }
  return (
    <>
      {gaps.map(({ of, missingCells, reachable }) => (
        <details key={of} data-testid="gap">
          <summary>{`${PART_NAMES[name]?.(of) ?? of}: ${reachable - missingCells.length} of ${reachable} seen`}</summary>
          <ul class="unseen-cells">
            {missingCells.map(({ what, degree, try: line }) => (
              <li key={what}>
                <p>
                  {degree === 'seen' || UNCOUNTED_DEGREES[degree] === ''
                    ? what
                    : `${what} (${UNCOUNTED_DEGREES[degree]})`}
                </p>
                <Code text={line} label={`Code for ${of}: ${what}`} isWrapped />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
