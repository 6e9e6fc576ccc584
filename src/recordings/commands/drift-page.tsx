import { documentOf, factsOf } from '../../base/report/document.tsx';
import type { Difference, DriftReport } from '../../base/schema/recordings.ts';
import {
  comparedLine,
  factsIn,
  fixtureWords,
  groupsIn,
  sideWords,
  sourceWords,
  titleOf,
  verdictOf,
} from './drift-words.ts';

const TITLE = 'Drift report';

/** The report as one HTML file that needs no network. */
export function pageOfDrift(report: DriftReport): string {
  const sections = [
    { id: 'differences', title: 'Differences', content: differences(report) },
    { id: 'not-compared', title: 'Not compared', content: notCompared(report) },
    { id: 'noise', title: 'Ignored as noise', content: noise(report) },
  ];
  return documentOf(
    TITLE,
    <>
      <p class="quiet">merchant-sandbox {report.version}</p>
      <h1>{TITLE}</h1>
      <p class="conclusion">{verdictOf(report)}</p>
      <div class="card">{factsOf([...factsIn(report), ['Compared', comparedLine(report)]])}</div>
      {report.notices.map((notice) => (
        <p>{notice}</p>
      ))}
      {sections.map(({ id, title, content }) => (
        <section aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {content}
        </section>
      ))}
    </>,
  );
}

function differences(report: DriftReport) {
  if (report.differences.length === 0) {
    return <p>None.</p>;
  }
  return groupsIn(report.differences).map(([group, all]) => (
    <>
      <h3>{group}</h3>
      {all.map((each) => differenceCard(each))}
    </>
  ));
}

function differenceCard(difference: Difference) {
  const advice = fixtureWords(difference);
  const { id, recorded, sandbox } = difference;
  return (
    <article class="card violation" aria-labelledby={id}>
      <h4 id={id}>{`${id}: ${titleOf(difference)}`}</h4>
      <div class="advice">
        <div>
          <p class="quiet">Recorded</p>
          <p>
            <code>{sideWords(difference, recorded)}</code>
          </p>
        </div>
        <div>
          <p class="quiet">Sandbox</p>
          <p>
            <code>{sideWords(difference, sandbox)}</code>
          </p>
        </div>
      </div>
      {advice !== '' && <p>{advice}</p>}
      <p class="ids">{sourceWords(difference)}</p>
    </article>
  );
}

function notCompared({ notCompared: all }: DriftReport) {
  return all.length === 0 ? (
    <p>Everything was compared.</p>
  ) : (
    <ul class="card reasons">
      {all.map(({ reason, count, source }) => (
        <li>
          <p>{`${count}: ${reason}`}</p>
          {source && <p class="ids">{`First in ${source.file}:${source.line} (${source.at.slice(0, 10)})`}</p>}
        </li>
      ))}
    </ul>
  );
}

function noise({ noise: all }: DriftReport) {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Why</th>
            <th scope="col">Ignored</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ name, why, count }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{why}</td>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
