import { VERDICTS } from '../verdicts/verdicts.ts';
import { CHECK_LIST, type CheckItem, findingsFor } from './check-list.ts';
import { type Report, VERDICT_WORDS, worstOf } from './report.ts';
import { verdictMark } from './verdict-mark.tsx';

export function checkListTable(report: Report) {
  return (
    <div class="wide">
      <table class="check-list">
        <caption>Common items, in our own words, and what this examination says about them</caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Answer</th>
            <th scope="col">Based on</th>
          </tr>
        </thead>
        <tbody>
          {CHECK_LIST.map((each) => (
            <tr>
              <th scope="row">{each.item}</th>
              {answerTo(each, report)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function answerTo(checkItem: CheckItem, { verdicts }: Report) {
  if (checkItem.byHand !== undefined) {
    return (
      <>
        <td>manual</td>
        <td class="quiet">{checkItem.byHand}</td>
      </>
    );
  }
  const found = findingsFor(checkItem, verdicts);
  const worst = worstOf(found);
  if (worst === undefined) {
    return (
      <>
        <td class="quiet">not tried</td>
        <td class="quiet">Not part of this examination.</td>
      </>
    );
  }
  const ids = [...new Set(found.map(({ invariant }) => invariant))].join(', ');
  const counted = VERDICTS.map((verdict) => ({ verdict, count: found.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${VERDICT_WORDS[verdict]}`);
  return (
    <>
      <td class={worst}>{verdictMark(worst)}</td>
      <td class="quiet">{`${ids}: ${counted.join(', ')}`}</td>
    </>
  );
}
