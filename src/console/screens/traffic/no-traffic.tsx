import { Empty } from '../../components/parts.tsx';
import { WhereToNotify } from '../../record/where-to-notify.tsx';
import { useKept } from '../../use-kept.ts';
import { fetchOverview } from '../overview/fetch-overview.ts';

/** While there was no call, and an endpoint can still be missing. */
export function NoTraffic() {
  const { value: overview } = useKept(fetchOverview);
  if (overview === undefined) {
    return <div class="rows" aria-busy="true" />;
  }
  return (
    <Empty title="No traffic yet">
      <p>Calls to the merchant API, notifications to your shop, and every change of a record are listed here.</p>
      {overview.deliveries.endpoints > 0 ? null : (
        <>
          <p>
            There is no webhook endpoint yet. If you have no server, the sandbox can catch the notifications itself.
          </p>
          <div class="actions">
            <WhereToNotify isPrimary />
          </div>
        </>
      )}
    </Empty>
  );
}
