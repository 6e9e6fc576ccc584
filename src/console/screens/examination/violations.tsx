import type { ExaminationVerdict, ExaminationView } from '../../../base/schema/generated/control.ts';
import { capitalize } from '../../../base/text/words.ts';
import { Code, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { dayAndTime } from '../../format.ts';
import { zone } from '../../preferences.ts';
import { channelName } from '../../record/channel-names.ts';
import { groupBy } from './group-by.ts';

type Invariant = ExaminationView['invariants'][number];

/** Violated invariants, each with its violations and the shortest history unfolded. */
export function Violations({ view: { verdicts, invariants } }: { view: ExaminationView }) {
  const byInvariant = groupBy(
    ({ invariant }) => invariant,
    verdicts.filter(({ verdict }) => verdict === 'violated'),
  );
  const violated = invariants.filter(({ id }) => byInvariant.has(id));
  return violated.length === 0 ? null : (
    <Section title="Violated" level={2}>
      {violated.map((invariant) => (
        <Violation key={invariant.id} invariant={invariant} verdicts={byInvariant.get(invariant.id) ?? []} />
      ))}
    </Section>
  );
}

function Violation({
  invariant: { id, sentence, why, mend },
  verdicts,
}: {
  invariant: Invariant;
  verdicts: readonly ExaminationVerdict[];
}) {
  return (
    <article class="violation" data-testid="violation">
      <h3>
        <Shape tone="bad" />
        <span>
          {id}: {sentence}
        </span>
      </h3>
      <dl>
        <dt>Why it matters</dt>
        <dd>{why}</dd>
        <dt>How to fix it</dt>
        <dd>{mend}</dd>
      </dl>
      {verdicts
        .toSorted((one, other) => one.history.length - other.history.length)
        .map((each, index) => (
          <ViolationHistory key={each.id} verdict={each} isOpen={index === 0} />
        ))}
    </article>
  );
}

function ViolationHistory({
  verdict: { id, title, channel, history, bundle },
  isOpen,
}: {
  verdict: ExaminationVerdict;
  isOpen: boolean;
}) {
  return (
    <details id={id} open={isOpen}>
      <summary>
        {capitalize(title)}, on {channelName(channel)}
      </summary>
      <Steps history={history} />
      {bundle === null ? null : (
        <>
          <p class="hint">Open:</p>
          <Code text={`merchant-sandbox open ${bundle}`} label="Command" isWrapped />
        </>
      )}
    </details>
  );
}

/** The history of a verdict: the shop on one side, the provider on the other. */
export function Steps({ history }: { history: ExaminationVerdict['history'] }) {
  return (
    <ol class="steps-of">
      {history.map(({ at, side, text }, index) => (
        <li key={index} class={side}>
          {at === '' ? null : (
            <time dateTime={at} title={at}>
              {dayAndTime(Date.parse(at), zone.value).time}
            </time>
          )}
          <b>{capitalize(side)}</b>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
