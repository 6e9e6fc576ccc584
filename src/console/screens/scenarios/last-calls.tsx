import type { RequestView, TriedScenario } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { pathOf } from '../../address.ts';
import { ask, type ListPage } from '../../api.ts';
import { scenarios } from '../../session-facts.ts';
import { rulesOf } from './edit-definition.ts';
import { useTrial } from './use-trial.ts';

/** Maximum numbers of tried and of fetched calls. More are fetched, because calls without an operation match no rule and are not tried. */
const MAX_TRIED_CALLS = 8;
const MAX_FETCHED_CALLS = 30;
/** The operations that start payments and payouts. */
const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay', 'initiateBulkPayout'];
/** Members of a rule that change the answer of any call; the others change a payment or payout that the call starts. */
const ANSWER_MEMBERS = ['fault', 'respond', 'tokenLifetime'];

interface ChangedCall {
  call: RequestView;
  words: string;
}

/** The last calls that a definition would have changed, and how. */
export function LastCalls({ definition, isInUse }: { definition: unknown; isInUse: boolean }) {
  // `Rules` reports the errors of the definition.
  const { result: trials } = useTrial(definition, () => tryOnLastCalls(definition));
  if (definition === undefined || trials === undefined || trials.calls.length === 0) {
    return null;
  }
  return (
    <div data-testid="last-calls">
      <p class="trial">
        {isInUse && trials.changed.length === 0
          ? 'It is in use, and would have changed none of'
          : `Compared with what happened, it would have changed ${trials.changed.length || 'none'} of`}{' '}
        the last {plural(trials.calls.length, 'call')} to the merchant API, {trials.calls.at(-1)?.id} to{' '}
        {trials.calls[0]?.id}.
      </p>
      <ul class="changed-calls">
        {trials.changed.map(({ call: { id, reference }, words }) => (
          <li key={id}>
            <a href={pathOf('traffic', id)}>{id}</a> {reference === null ? null : <bdi>{reference}</bdi>}: {words}
          </li>
        ))}
      </ul>
    </div>
  );
}

async function tryOnLastCalls(definition: unknown): Promise<{ calls: RequestView[]; changed: ChangedCall[] }> {
  const { items } = await ask<ListPage<RequestView>>('GET', 'requests', { query: { limit: MAX_FETCHED_CALLS } });
  const calls = items.filter(({ operation }) => operation !== null).slice(0, MAX_TRIED_CALLS);
  const changed = await Promise.all(calls.map((call) => findChange(call, definition)));
  return { calls, changed: changed.filter((each) => each !== undefined) };
}

/** How a definition would have changed a call; undefined if not at all. */
async function findChange(call: RequestView, definition: unknown): Promise<ChangedCall | undefined> {
  const tryWith = (scenario: object) =>
    ask<TriedScenario>('POST', 'scenarios/try', { body: { requestId: call.id, ...scenario } });
  const usedScenario = scenarios.value.find(({ name }) => name === call.scenario);
  const [tried, unchanged] = await Promise.all([
    tryWith({ definition }),
    usedScenario === undefined ? undefined : tryWith({ scenario: usedScenario.name }),
  ]);
  return effectOf(call, definition, tried.rule) === effectOf(call, usedScenario, unchanged?.rule ?? null)
    ? undefined
    : { call, words: tried.rule === null ? 'no rule would apply' : `rule ${tried.rule} would apply` };
}

/** The effect of a scenario's rule on a call that it matches, as a text to compare. */
function effectOf({ operation }: RequestView, scenario: unknown, ruleNumber: number | null): string {
  const { when: _, ...effect } = (ruleNumber === null ? undefined : rulesOf(scenario)[ruleNumber - 1]) ?? {};
  const startsPayment = operation !== null && INITIATIONS.includes(operation);
  return JSON.stringify(Object.entries(effect).filter(([member]) => startsPayment || ANSWER_MEMBERS.includes(member)));
}
