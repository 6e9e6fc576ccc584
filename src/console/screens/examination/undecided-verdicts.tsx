import type { ExaminationVerdict, ExaminationView } from '../../../base/schema/generated/control.ts';
import { capitalize } from '../../../base/text/words.ts';
import { Section } from '../../components/parts.tsx';
import { channelName } from '../../record/channel-names.ts';
import { groupBy } from './group-by.ts';
import { VerdictMark } from './verdict-mark.tsx';
import { Steps } from './violations.tsx';

const UNDECIDED: readonly ExaminationVerdict['verdict'][] = ['inconclusive', 'not-exercised', 'not-applicable'];

/** Cases without a clear verdict, grouped by verdict and reason. */
export function UndecidedVerdicts({ view: { verdicts, counts } }: { view: ExaminationView }) {
  const undecided = verdicts.filter(({ verdict }) => UNDECIDED.includes(verdict));
  const byReason = [...groupBy(({ verdict, note }) => `${verdict}: ${note ?? ''}`, undecided).values()];
  const rank = ([one]: readonly ExaminationVerdict[]) => (one === undefined ? 0 : UNDECIDED.indexOf(one.verdict));
  const wordsOf = (wanted: string) => counts.find(({ verdict }) => verdict === wanted)?.words ?? wanted;
  return byReason.length === 0 ? null : (
    <Section title="Without a clear verdict" level={2}>
      <ul class="undecided" data-testid="examination-undecided">
        {byReason
          .sort((one, other) => rank(one) - rank(other))
          .map((group) => (
            <Reason key={group[0]?.id} verdicts={group} wordsOf={wordsOf} />
          ))}
      </ul>
    </Section>
  );
}

function Reason({ verdicts, wordsOf }: { verdicts: readonly ExaminationVerdict[]; wordsOf(verdict: string): string }) {
  const [first] = verdicts;
  if (first === undefined) {
    return null;
  }
  const { verdict, note, history } = first;
  const cases = [...groupBy(({ title }) => title, verdicts)].map(
    ([title, ofTitle]) =>
      `${capitalize(title)}, on ${[...new Set(ofTitle.map(({ channel }) => channelName(channel)))].join(', ')}`,
  );
  return (
    <li>
      <VerdictMark verdict={verdict} />
      <div>
        <p>
          <b>{capitalize(wordsOf(verdict))}</b>
          {note === null ? '' : `: ${note}`}
        </p>
        <ul class="hint-list">
          {cases.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        {history.length === 0 ? null : (
          <details>
            <summary>What happened</summary>
            <Steps history={history} />
          </details>
        )}
      </div>
    </li>
  );
}
