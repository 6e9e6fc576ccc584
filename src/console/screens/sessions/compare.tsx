import {
  compareHistories,
  type HistoryComparison,
  type StepDifference,
  sidesOf,
} from '../../../base/compare-histories.ts';
import type { HistoryStep, HistoryView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { apiOf, consoleOf, sessionName } from '../../address.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Code, Empty, KEYBOARD_SCROLLABLE, Moment, Section } from '../../components/parts.tsx';
import { Shape, type Tone } from '../../components/state.tsx';
import { withRole } from '../../components/table.tsx';
import { useFetched } from '../../record/use-fetched.ts';

const fetchHistory = (name: string, after?: string) =>
  ask<HistoryView>('GET', `${apiOf(name)}history`, { query: { after } });

export function Compare({ other }: { other: string }) {
  const { value, problem, refresh } = useFetched(
    () => compareHistories(fetchHistory, { one: sessionName, other }),
    `compare ${other}`,
    () => true,
  );
  if (problem !== undefined) {
    return <Empty title="These sessions cannot be compared">{<p>{problem}</p>}</Empty>;
  }
  return (
    <Page screen="sessions" title={`${sessionName} and ${other}`} isBusy={value === undefined}>
      <header class="record-head">
        <h1>
          {sessionName} and <a href={consoleOf(other)}>{other}</a>
        </h1>
        {value === undefined ? null : <Verdict comparison={value} other={other} />}
      </header>
      <div class="button-row">
        <button type="button" class="button" onClick={refresh}>
          <Icon name="again" />
          Compare again
        </button>
      </div>
      {value === undefined ? null : <StepTable comparison={value} other={other} />}
      {value?.first === undefined ? null : <Sides first={value.first} other={other} />}
    </Page>
  );
}

function Verdict({ comparison, other }: { comparison: HistoryComparison; other: string }) {
  const { tone, words } = verdictOn(comparison, other);
  return (
    <p class="record-detail verdict" role="status" data-testid="verdict">
      <Shape tone={tone} /> {words}
    </p>
  );
}

function verdictOn(
  { one: ownSteps, other: otherSteps, first }: HistoryComparison,
  other: string,
): { tone: Tone; words: string } {
  if (!first) {
    return { tone: 'good', words: `They are identical: ${plural(ownSteps.length, 'step')}.` };
  }
  const { index, difference } = first;
  const { step } = difference;
  if (index >= ownSteps.length || index >= otherSteps.length) {
    const [longer, shorter] = index >= ownSteps.length ? [other, sessionName] : [sessionName, other];
    return { tone: 'wait', words: `${shorter} is identical up to its end; ${longer} continues with ${step}.` };
  }
  return { tone: 'bad', words: `They differ from ${titleOf(difference)}.` };
}

function titleOf({ step, part }: StepDifference): string {
  return part === 'step' ? step : `${step}, in its ${part}`;
}

/** Maximum numbers of shown steps, and of those before the first difference. */
const MAX_STEPS = 500;
const STEPS_BEFORE = 50;

function StepTable({
  comparison: { one: ownSteps, other: otherSteps, first },
  other,
}: {
  comparison: HistoryComparison;
  other: string;
}) {
  const start = Math.max(0, (first?.index ?? ownSteps.length) - STEPS_BEFORE);
  const rows = Array.from(
    { length: Math.min(MAX_STEPS, Math.max(ownSteps.length, otherSteps.length) - start) },
    (_, index) => start + index,
  );
  return (
    <>
      {start === 0 ? null : <p class="hint">{plural(start, 'identical step')} before.</p>}
      <section class="table-scroll" aria-label="Steps" {...KEYBOARD_SCROLLABLE}>
        <table class="beside cards" data-testid="beside" {...withRole('table')}>
          <thead {...withRole('rowgroup')}>
            <tr {...withRole('row')}>
              <th {...withRole('columnheader')}>{sessionName}</th>
              <th {...withRole('columnheader')}>{other}</th>
            </tr>
          </thead>
          <tbody {...withRole('rowgroup')}>
            {rows.map((index) => (
              <tr key={index} class={first?.index === index ? 'parting' : ''} {...withRole('row')}>
                <StepCell step={ownSteps[index]} session={sessionName} />
                <StepCell step={otherSteps[index]} session={other} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function StepCell({ step, session }: { step: HistoryStep | undefined; session: string }) {
  if (step === undefined) {
    return <td data-label={session} {...withRole('cell')} />;
  }
  const { at, of, line } = step;
  const words = line.startsWith(of) ? line.slice(of.length) : line;
  return (
    <td data-label={session} {...withRole('cell')}>
      <Moment at={at} /> {of.startsWith('request-') ? <a href={`${apiOf(session)}console/traffic/${of}`}>{of}</a> : of}{' '}
      {words}
    </td>
  );
}

/** Maximum number of characters of each side. */
const MAX_SIDE_LENGTH = 2000;

function Sides({ first: { difference }, other }: { first: NonNullable<HistoryComparison['first']>; other: string }) {
  const { was, is } = sidesOf(difference, MAX_SIDE_LENGTH);
  return (
    <Section title={titleOf(difference)} level={2}>
      <div class="sides">
        <Code text={was} label={sessionName} isWrapped />
        <Code text={is} label={other} isWrapped />
      </div>
    </Section>
  );
}
