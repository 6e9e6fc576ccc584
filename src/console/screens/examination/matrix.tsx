import type { ExaminationVerdict, ExaminationView } from '../../../base/schema/generated/control.ts';
import { capitalize } from '../../../base/text/words.ts';
import { KEYBOARD_SCROLLABLE } from '../../components/parts.tsx';
import { channelName } from '../../record/channel-names.ts';
import { groupBy } from './group-by.ts';
import { VERDICTS_WORST_FIRST, VerdictMark } from './verdict-mark.tsx';

/** The worst verdict so far of each situation on each channel. */
export function Matrix({
  verdicts,
  counts,
}: {
  verdicts: readonly ExaminationVerdict[];
  counts: ExaminationView['counts'];
}) {
  const channels = [...new Set(verdicts.map(({ channel }) => channel))];
  const bySituation = groupBy(({ situation }) => situation, verdicts);
  const wordsOf = (wanted: string) => counts.find(({ verdict }) => verdict === wanted)?.words ?? wanted;
  return (
    <section class="table-scroll matrix" aria-label="Situations and channels" {...KEYBOARD_SCROLLABLE}>
      <table data-testid="examination-matrix">
        <thead>
          <tr>
            <th scope="col">Situation</th>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                {channelName(channel)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...bySituation].map(([situation, row]) => (
            <tr key={situation}>
              <th scope="row">{capitalize(row[0]?.title ?? situation)}</th>
              {channels.map((channel) => (
                <Cell key={channel} verdicts={row.filter((each) => each.channel === channel)} wordsOf={wordsOf} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Unfolds a history, because a link only scrolls to it. */
function unfoldHistory(id: string): void {
  document.getElementById(id)?.setAttribute('open', '');
}

function Cell({ verdicts, wordsOf }: { verdicts: readonly ExaminationVerdict[]; wordsOf(verdict: string): string }) {
  const worst = VERDICTS_WORST_FIRST.find((verdict) => verdicts.some((each) => each.verdict === verdict));
  if (worst === undefined) {
    return <td />;
  }
  const worstVerdicts = verdicts.filter(({ verdict }) => verdict === worst);
  const invariants = worstVerdicts.map(({ invariant }) => invariant).join(', ');
  return (
    <td title={`${wordsOf(worst)}: ${invariants}`}>
      <span class="cell">
        <VerdictMark verdict={worst} />
        {worst === 'violated' ? (
          <>
            <span class="visually-hidden">violated: </span>
            <a href={`#${worstVerdicts[0]?.id}`} onClick={() => unfoldHistory(worstVerdicts[0]?.id ?? '')}>
              {invariants}
            </a>
          </>
        ) : (
          <span class="visually-hidden">{`${wordsOf(worst)}: ${invariants}`}</span>
        )}
      </span>
    </td>
  );
}
