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
        <Bar
          title="Notifications by state"
          parts={(['delivered', 'pending', 'held', 'failed', 'dropped'] as const).map((state) => ({
            label: LABELS[state],
            count: states[state] ?? 0,
            tone: toneOf(state),
            href: pathOfList('traffic', `state:${state}`),
          }))}
        />
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

function answersOf({ attempts, states }: OverviewView['deliveries']): Fact[] {
  const { count, succeeded, median, slow } = attempts;
  return [
    ['Successful attempts', `${groupDigits(String(succeeded))} of ${groupDigits(String(count))}`],
    [
      'Failed attempts',
      count === succeeded ? null : <FailedAttempts count={count - succeeded} isGivenUp={(states['failed'] ?? 0) > 0} />,
    ],
    ['Median answer time', median === null ? null : `${groupDigits(String(median))} ms`],
    ['95th percentile answer time', slow === null ? null : `${groupDigits(String(slow))} ms`],
  ];
}

/** Each failed attempt is an event, of one of two types. */
function FailedAttempts({ count, isGivenUp }: { count: number; isGivenUp: boolean }) {
  const number = groupDigits(String(count));
  const given = <a href={pathOfList('traffic', 'type:delivery.given-up')}>given up</a>;
  return (
    <>
      {isGivenUp ? `${number}: ` : null}
      <a href={pathOfList('traffic', 'type:delivery.failed')}>{isGivenUp ? 'tried again' : `${number} tried again`}</a>
      {isGivenUp ? <>, {given}</> : null}
    </>
  );
}
