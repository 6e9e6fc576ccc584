import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { plural } from '../../../base/text/plural.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOfList } from '../../address.ts';
import { type Fact, Facts, Section } from '../../components/parts.tsx';
import { Shape, toneOf } from '../../components/state.tsx';
import { AddEndpointButtons } from '../../record/add-endpoint-buttons.tsx';
import { Bar } from './bar.tsx';

const STATES = ['delivered', 'pending', 'held', 'failed', 'dropped'] as const;

export function Deliveries({ overview: { deliveries } }: { overview: Pick<OverviewView, 'deliveries'> }) {
  const { count, states, endpoints } = deliveries;
  return (
    <Section
      title="Deliveries of notifications"
      level={2}
      extra={<a href={pathOfList('traffic', 'kind:delivery')}>{plural(count, 'delivery', 'deliveries')}</a>}
    >
      {count === 0 ? (
        <p class="hint">{endpoints === 0 ? 'No notifications are sent: there is no endpoint.' : 'None sent yet.'}</p>
      ) : (
        <>
          <Bar
            title="Deliveries by state"
            parts={STATES.map((state) => ({
              label: inWords(state),
              count: states[state] ?? 0,
              tone: toneOf(state),
              href: pathOfList('traffic', `state:${state}`),
            }))}
          />
          <FailedAttempts deliveries={deliveries} />
        </>
      )}
      {deliveries.attempts.count === 0 ? null : <Facts facts={answerTimesOf(deliveries)} />}
      {endpoints === 0 ? (
        <div class="button-row">
          <AddEndpointButtons />
        </div>
      ) : null}
    </Section>
  );
}

function answerTimesOf({ attempts: { median, slow } }: OverviewView['deliveries']): Fact[] {
  return [
    ['Median answer time', median === null ? null : `${groupDigits(String(median))} ms`],
    ['95th percentile answer time', slow === null ? null : `${groupDigits(String(slow))} ms`],
  ];
}

/** Shown because a notification that was delivered in the end hides its failed attempts. */
function FailedAttempts({ deliveries: { count, states, attempts } }: Pick<OverviewView, 'deliveries'>) {
  const failed = attempts.count - attempts.succeeded;
  return failed === 0 ? null : (
    <p class="legend" data-testid="attempts">
      <a class="legend-link" href={pathOfList('traffic', 'type:delivery.failed')}>
        <Shape tone={states['delivered'] === count ? 'late' : 'bad'} />
        {groupDigits(String(failed))} of {plural(attempts.count, 'attempt')} failed
        {states['delivered'] === count ? ', but retries succeeded' : ''}
      </a>
    </p>
  );
}
