import { Empty } from '../../components/parts.tsx';
import { WhereToNotify } from '../../record/where-to-notify.tsx';
import { useKept } from '../../use-kept.ts';
import { fetchOverview } from '../overview/fetch-overview.ts';

/** While nothing was sent: for want of an endpoint, or of anything to tell. */
export function NoDeliveries() {
  const { value: overview } = useKept(fetchOverview);
  if (overview === undefined) {
    return <div class="rows" aria-busy="true" />;
  }
  if (overview.deliveries.endpoints > 0) {
    return (
      <Empty title="No notifications yet">
        <p>When a payment or payout is settled, its notification appears here.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No notifications yet">
      <p>
        The sandbox notifies your webhook endpoints of the outcomes of payments and payouts. If you have no server yet,
        it can catch the notifications itself.
      </p>
      <div class="actions">
        <WhereToNotify isPrimary />
      </div>
    </Empty>
  );
}
