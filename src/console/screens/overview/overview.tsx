import { useState } from 'preact/hooks';
import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { sessionName } from '../../address.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/parts.tsx';
import { useSessionData } from '../../use-session-data.ts';
import { Attention } from './attention.tsx';
import { Deliveries } from './deliveries.tsx';
import { fetchOverview } from './fetch-overview.ts';
import { Outcomes } from './outcomes.tsx';
import { RefusedCalls } from './refused-calls.tsx';
import { Tour } from './tour.tsx';
import { closeTour, isTourOpen, openTour } from './tour-state.ts';
import { VolumeOverTime } from './volume.tsx';

export function Overview() {
  const { value: overview, problem } = useSessionData(fetchOverview);
  const [, rerender] = useState(0);
  const hasTour = overview !== undefined && isTourOpen(overview.payments.count === 0);
  const changeTour = (change: () => void) => () => {
    change();
    rerender((times) => times + 1);
  };
  return (
    <Page
      screen="overview"
      title="Overview"
      className="overview"
      isBusy={overview === undefined && problem === undefined}
    >
      <header class="overview-head">
        <div>
          <p class="record-kind">{`Session ${sessionName}`}</p>
          <h1>Overview</h1>
        </div>
        {overview === undefined || hasTour ? null : (
          <button type="button" class="button" onClick={changeTour(openTour)}>
            Take the tour
          </button>
        )}
      </header>
      {problem === undefined ? null : <p class="hint">{problem}</p>}
      {hasTour ? <Tour overview={overview} onClose={changeTour(closeTour)} /> : null}
      {overview === undefined ? null : <OverviewSections overview={overview} hasTour={hasTour} />}
    </Page>
  );
}

function OverviewSections({ overview, hasTour }: { overview: OverviewView; hasTour: boolean }) {
  const { payments, payouts, calls, deliveries } = overview;
  const hasPayments = payments.count > 0;
  if (!hasPayments && payouts.count + calls.count + deliveries.count === 0) {
    return hasTour ? null : <Empty title="No activity yet" />;
  }
  return (
    <>
      <Attention overview={overview} />
      {hasPayments ? <Outcomes overview={overview} /> : null}
      {payments.count > 1 ? <VolumeOverTime overview={overview} /> : null}
      <div class="overview-pair">
        {hasPayments || deliveries.count > 0 ? <Deliveries overview={overview} /> : null}
        {calls.count > 0 ? <RefusedCalls calls={calls} /> : null}
      </div>
    </>
  );
}
