import { pathOf } from '../../address.ts';
import { Icon } from '../../components/icon.tsx';
import { Empty } from '../../components/parts.tsx';
import { catchHere } from '../../endpoints.ts';
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
        <p>As soon as a payment or payout is settled, its notification is sent, and appears here.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No notifications yet">
      <p>
        The sandbox notifies your webhook endpoints of what becomes of payments and payouts. Without a server of yours,
        it can take the notifications itself.
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={catchHere}>
          <Icon name="catch" />
          Catch here
        </button>
        <a class="button" href={pathOf('deliveries', 'endpoints')}>
          Set an endpoint
        </a>
      </div>
    </Empty>
  );
}
