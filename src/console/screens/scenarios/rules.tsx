import type { TriedScenario } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { capitalize } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { ask, ControlApiError, messageOf } from '../../api.ts';
import { Shape, type Tone } from '../../components/state.tsx';
import { useTrial } from './use-trial.ts';

const STATES: Readonly<Record<TriedScenario['rules'][number]['state'], readonly [Tone, string]>> = {
  acts: ['good', 'would apply'],
  unmet: ['none', 'does not match'],
  after: ['late', 'comes after the one that would apply'],
};

/** Only the number of errors, because the definition below shows them when it is saved. */
function wordsOf(error: unknown): string {
  if (error instanceof ControlApiError && error.status === 404) {
    return 'Make a call to see which rule would have applied to it.';
  }
  const count = error instanceof ControlApiError ? error.findings.length : 0;
  return count === 0
    ? messageOf(error)
    : `No rule can apply yet: the definition below has ${plural(count, 'mistake')}. Save it to see where.`;
}

/** Each rule in words, and whether it would apply to the newest call. */
export function Rules({ definition }: { definition: unknown }) {
  const tryOnLast = () => ask<TriedScenario>('POST', 'scenarios/try', { body: { definition } });
  const { result: trial, error } = useTrial(definition, tryOnLast, 0);
  if (definition === undefined) {
    return <p class="hint">The definition below is not JSON.</p>;
  }
  if (trial === undefined) {
    return <p class="hint">{error === undefined ? '' : wordsOf(error)}</p>;
  }
  return (
    <>
      <p class="trial" data-testid="trial">
        For the newest call, <a href={pathOf('traffic', trial.requestId)}>{trial.requestId}</a>:{' '}
        <b>{trial.rule === null ? 'no rule would apply' : `rule ${trial.rule} would apply`}</b>
      </p>
      <ol class="rules">
        {trial.rules.map((rule) => (
          <Rule key={rule.number} rule={rule} />
        ))}
      </ol>
    </>
  );
}

function Rule({ rule: { number, words, state, unmet } }: { rule: TriedScenario['rules'][number] }) {
  const [tone, label] = STATES[state];
  return (
    <li class={tone}>
      <Shape tone={tone} />
      <div>
        <p>
          <b>
            Rule {number} {label}
          </b>
        </p>
        <p>{capitalize(words)}</p>
        {unmet.map(({ path, expected, received }) => (
          <p key={path} class="unmet">
            <code>{path}</code> expected {expected}, <b>received {received}</b>
          </p>
        ))}
      </div>
    </li>
  );
}
