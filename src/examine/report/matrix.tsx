import type { SituationKind } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { causesIn } from '../verdicts/causes.ts';
import type { InvariantId } from '../verdicts/invariant.ts';
import type { Verdict } from '../verdicts/verdicts.ts';
import { type Report, situationTitleOf, worstOf } from './report.ts';
import { verdictMark } from './verdict-mark.tsx';

const GROUPS: Readonly<Record<SituationKind, string>> = {
  call: 'Payment requests',
  'other-call': 'Other requests',
  'status-query': 'Status queries',
  'while-undecided': 'While the payer decides',
  notification: 'Notifications',
  outcome: 'Payment outcomes',
  afterwards: 'After the payment',
  race: 'The race',
  alone: 'Other situations',
};
const COMBINATIONS = 'Combinations';

export function matrix({ verdicts }: Report) {
  const channels = [...new Set(verdicts.map(({ channel }) => channel))];
  const situations = [...new Set(verdicts.map(({ situation }) => situation))];
  const causes = new Map(
    causesIn(verdicts).flatMap((cause) => cause.verdicts.map((each) => [each, cause.invariant.id] as const)),
  );
  const triedGroups = new Set(situations.map(groupOf));
  const groups = [...Object.values(GROUPS), COMBINATIONS].filter((group) => triedGroups.has(group));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than a phone is scrolled by keyboard, too
    <section class="wide" tabIndex={0} aria-label="Table of situations and channels">
      <table class="matrix">
        <caption>Worst verdict for each situation on each channel</caption>
        <thead>
          <tr>
            <th scope="col">Situation</th>
            {channels.map((channel) => (
              <th scope="col">{channel}</th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody>
            <tr class="group">
              <th scope="rowgroup" colSpan={channels.length + 1}>
                {group}
              </th>
            </tr>
            {situations
              .filter((situation) => groupOf(situation) === group)
              .map((situation) => (
                <tr>
                  <th scope="row">{situationTitleOf(situation)}</th>
                  {channels.map((channel) => cellOf({ verdicts, causes }, situation, channel))}
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function groupOf(situation: string): string {
  const kind = SITUATIONS.find(({ id }) => id === situation)?.kind;
  return kind === undefined ? COMBINATIONS : GROUPS[kind];
}

interface Judgements {
  verdicts: readonly CaseVerdict[];
  /** The invariant that explains each violation, and whose article in the report describes it. */
  causes: ReadonlyMap<CaseVerdict, InvariantId>;
}

function cellOf({ verdicts, causes }: Judgements, situation: string, channel: string) {
  const found = verdicts.filter((each) => each.situation === situation && each.channel === channel);
  const worst = worstOf(found);
  return worst === undefined ? (
    <td class="quiet">not tried</td>
  ) : (
    <td class={worst}>
      {verdictMark(worst)}
      {idsOf(worst, found, causes)}
    </td>
  );
}

/** The invariants with the worst verdict, unless it is a good one. */
function idsOf(worst: Verdict, found: readonly CaseVerdict[], causes: Judgements['causes']) {
  if (worst === 'handled' || worst === 'handled-after-reconcile') {
    return null;
  }
  return found
    .filter(({ verdict }) => verdict === worst)
    .map((each) => <> {causes.has(each) ? <a href={`#${causes.get(each)}`}>{each.invariant}</a> : each.invariant}</>);
}
