import { useState } from 'preact/hooks';
import type { DeliveryView, IntegrationFinding, OverviewView } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { pathOf, pathOfList, sessionName } from '../../address.ts';
import { ask, type ListPage } from '../../api.ts';
import { Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { recall, remember } from '../../preferences.ts';
import { generation } from '../../session-facts.ts';
import { useSessionData } from '../../use-session-data.ts';

/** Maximum number of counted deliveries, and of counted findings. */
const MAX_COUNTED = 200;

/** A kind of problem in the user's code, with the number of items that no scenario has caused. */
interface Problem {
  label: string;
  href: string;
  count: number;
  /** Increases with each further item: the number in the last one's id, the time of the last attempt, or the count. */
  newest: number;
}

/** Kinds of problems, each with a link to its list. A dismissed kind is shown again after the next problem of this kind. */
export function Attention({ overview }: { overview: OverviewView }) {
  const { value: fetched } = useSessionData(fetchProblems);
  const [, rerender] = useState(0);
  const all = fetched === undefined ? [] : [refusedCallsOf(overview), ...fetched];
  const problems = all.flatMap(withoutDismissed);
  const dismiss = ({ label, count, newest }: Problem) => {
    remember(keyOf(label), JSON.stringify({ count, newest }));
    rerender((times) => times + 1);
  };
  return (
    <Section title="Needs attention" level={2}>
      {fetched !== undefined && problems.length === 0 ? (
        <p class="hint" data-testid="no-attention">
          <Shape tone="good" />{' '}
          {all.some(({ count }) => count > 0)
            ? 'No new problems since the dismissed ones.'
            : 'Nothing: no refused calls, failed deliveries or findings.'}
        </p>
      ) : null}
      <ul class="tiles" data-testid="attention" aria-busy={fetched === undefined}>
        {problems.map(({ newCount, ...problem }) => (
          <li key={problem.label} class="tile bad">
            <a class="tile-link" href={problem.href}>
              <span class="tile-count">
                <Shape tone="bad" />
                {groupDigits(String(newCount))}
              </span>
              <span class="tile-label">{problem.label}</span>
            </a>
            <button
              type="button"
              class="bare"
              aria-label={`Dismiss ${problem.label.toLowerCase()}`}
              title="Hides this until the next one"
              onClick={() => dismiss(problem)}
            >
              Dismiss
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function refusedCallsOf({ calls: { refused, lastRefused } }: OverviewView): Problem {
  const [last] = lastRefused;
  return {
    label: 'Refused calls',
    href: pathOfList('traffic', 'refused:true'),
    count: refused,
    newest: numberIn(last?.id),
  };
}

async function fetchProblems(): Promise<Problem[]> {
  const query = { limit: MAX_COUNTED };
  const [failed, findings] = await Promise.all([
    ask<ListPage<DeliveryView>>('GET', 'webhooks/deliveries', { query: { ...query, state: 'failed' } }),
    ask<ListPage<IntegrationFinding>>('GET', 'findings', { query }),
  ]);
  // An endpoint is right to refuse notifications that a scenario has altered or forged.
  const unexpected = failed.items.filter(
    ({ forgery, webhookBehaviour }) => !forgery && webhookBehaviour.mode === 'normal',
  );
  return [
    {
      label: 'Failed deliveries',
      href: pathOfList('traffic', 'state:failed'),
      count: unexpected.length,
      newest: Math.max(0, ...unexpected.flatMap(({ attempts }) => attempts.map(({ at }) => Date.parse(at)))),
    },
    {
      label: 'Findings in your integration',
      href: pathOf('integration'),
      count: findings.items.length,
      newest: findings.items.length,
    },
  ];
}

/** `request-12` → 12 */
function numberIn(id = ''): number {
  return Number(id.replace(/^\D+/, ''));
}

/** Ids recur after a reset, so earlier dismissals are ignored. */
function keyOf(label: string): string {
  return `dismissed ${label} of ${sessionName} ${generation.value}`;
}

/** A problem with the number of items that were not dismissed; nothing if all were. */
function withoutDismissed(problem: Problem): (Problem & { newCount: number })[] {
  const { label, count, newest } = problem;
  const dismissed: Pick<Problem, 'count' | 'newest'> = JSON.parse(recall(keyOf(label)) ?? '{"count":0,"newest":0}');
  return newest > dismissed.newest || count > dismissed.count
    ? [{ ...problem, newCount: Math.max(1, count - dismissed.count) }]
    : [];
}
