import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { plural } from '../../../base/text/plural.ts';
import { pathOfList } from '../../address.ts';
import { type Fact, Facts, Section } from '../../components/parts.tsx';
import { toneOf } from '../../components/state.tsx';
import { WhereToNotify } from '../../record/where-to-notify.tsx';
import { Bar } from './bar.tsx';

/** The meanings of states, in the order in which they are shown. */
const LABELS = {
  delivered: 'Delivered',
  pending: 'Pending',
  held: 'Held',
  failed: 'Unacknowledged',
  dropped: 'Dropped',
} as const;

/** The states of notifications, and the response times of receivers. */
export function Notifications({ overview: { deliveries } }: { overview: Pick<OverviewView, 'deliveries'> }) {
  const { count, states, endpoints } = deliveries;
  return (
    <Section
      title="Notifications"
      level={2}
      extra={<a href={pathOfList('traffic', 'kind:delivery')}>{plural(count, 'delivery', 'deliveries')}</a>}
    >
      {count === 0 ? (
        <p class="hint">{endpoints === 0 ? 'No notifications are sent: there is no endpoint.' : 'None sent yet.'}</p>
      ) : (
        <>
          <Attempts deliveries={deliveries} />
          <Bar
            title="Notifications by state"
            parts={(['delivered', 'pending', 'held', 'failed', 'dropped'] as const).map((state) => ({
              label: LABELS[state],
              count: states[state] ?? 0,
              tone: toneOf(state),
              href: pathOfList('traffic', `state:${state}`),
            }))}
          />
        </>
      )}
      {deliveries.attempts.count === 0 ? null : <Facts facts={answersOf(deliveries)} />}
      {endpoints === 0 ? (
        <div class="settle">
          <WhereToNotify />
        </div>
      ) : null}
    </Section>
  );
}

function answersOf({ attempts: { median, slow } }: OverviewView['deliveries']): Fact[] {
  return [
    ['Median answer time', median === null ? null : `${groupDigits(String(median))} ms`],
    ['95th percentile answer time', slow === null ? null : `${groupDigits(String(slow))} ms`],
  ];
}

/** In one line, because a notification that was delivered in the end hides its failed attempts. They are events of two types. */
function Attempts({ deliveries: { count, states, attempts } }: Pick<OverviewView, 'deliveries'>) {
  const number = (value = 0) => groupDigits(String(value));
  const failed = attempts.count - attempts.succeeded;
  const isOfType = (type: string) => pathOfList('traffic', `type:${type}`);
  return (
    <p data-testid="attempts">
      {number(states['delivered'])} of {number(count)} delivered
      {failed === 0 ? null : ' · '}
      {failed === 0 ? null : (
        <a href={isOfType('delivery.failed')}>
          {number(failed)} of {plural(attempts.count, 'attempt')} failed
        </a>
      )}
      {states['failed'] ? ' · ' : null}
      {states['failed'] ? <a href={isOfType('delivery.given-up')}>{number(states['failed'])} given up</a> : null}
    </p>
  );
}
