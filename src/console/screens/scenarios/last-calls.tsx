import { useEffect, useState } from 'preact/hooks';
import type { RequestView, TriedScenario } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { pathOf } from '../../address.ts';
import { ask, type ListPage } from '../../api.ts';
import { scenarios } from '../../session-facts.ts';
import { onNotice } from '../../stream.ts';
import { rulesOf } from './edit-definition.ts';

/** How many of the last calls are tried, and how many are read to find them, because rules match no calls of pages. */
const MAX_TRIED = 8;
const MAX_READ = 30;
/** The preview is updated after a pause in typing of this many milliseconds. */
const PAUSE_MS = 400;
/** The operations that start payments and payouts. */
const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay', 'initiateBulkPayout'];
/** Members of a rule that change the call itself, as opposed to its payment or payout. */
const ANSWER_MEMBERS = ['fault', 'respond', 'tokenLifetime'];

interface ChangedCall {
  call: RequestView;
  words: string;
}

interface Trials {
  count: number;
  changed: readonly ChangedCall[];
}

/** The last calls that a definition would have changed, and how. */
export function LastCalls({ definition }: { definition: unknown }) {
  const [trials, setTrials] = useState<Trials>();
  const [calls, setCalls] = useState(0);
  useEffect(() => onNotice('call', () => setCalls((count) => count + 1)), []);
  useEffect(() => {
    let isCancelled = false;
    const timer = setTimeout(async () => {
      // The errors of the definition are shown next to its rules.
      const tried = await tryOnLastCalls(definition).catch(() => undefined);
      isCancelled || setTrials(tried);
    }, PAUSE_MS);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [definition, calls]);
  if (definition === undefined || trials === undefined || trials.count === 0) {
    return null;
  }
  return (
    <div data-testid="last-calls">
      <p class="trial">
        {trials.changed.length === 0 ? 'It would have changed none' : `It would have changed ${trials.changed.length}`}{' '}
        of the last {plural(trials.count, 'call')}.
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

async function tryOnLastCalls(definition: unknown): Promise<Trials> {
  const { items } = await ask<ListPage<RequestView>>('GET', 'requests', { query: { limit: MAX_READ } });
  const calls = items.filter(({ operation }) => operation !== null).slice(0, MAX_TRIED);
  const changed = await Promise.all(calls.map((call) => changeOf(call, definition)));
  return { count: calls.length, changed: changed.filter((each) => each !== undefined) };
}

/** How a definition would have changed a call; undefined if not at all. */
async function changeOf(call: RequestView, definition: unknown): Promise<ChangedCall | undefined> {
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

/** What a rule of a scenario does to a call that it matches, as a text to compare. */
function effectOf({ operation }: RequestView, scenario: unknown, number: number | null): string {
  const { when: _, ...effect } = (number === null ? undefined : rulesOf(scenario)[number - 1]) ?? {};
  const startsPayment = operation !== null && INITIATIONS.includes(operation);
  return JSON.stringify(Object.entries(effect).filter(([member]) => startsPayment || ANSWER_MEMBERS.includes(member)));
}
