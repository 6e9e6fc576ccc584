import type { DeliveryView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { ask, type ListPage } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { Empty } from '../../components/parts.tsx';
import type { Query } from '../../filter.ts';
import { endpointName } from '../../format.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { LiveList } from '../../live-list.ts';
import { MergedList } from '../../merged-list.ts';
import { onNotice } from '../../stream.ts';
import { attempt, showToast } from '../../toasts.ts';
import { useEndpoints } from '../../webhook-endpoints.ts';
import { Deliveries } from '../overview/deliveries.tsx';
import { RefusedCalls } from '../overview/refused-calls.tsx';
import { OverviewSummary } from '../overview/summary.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { EventDetail } from './event-detail.tsx';
import { RequestDetail } from './request-detail.tsx';
import { rowWithEndpoint, type TrafficItem, timeOf, trafficRow } from './traffic-row.tsx';

/** The lists of the traffic with their filters. At the same instant, items are in this order: an effect above its cause. */
const LISTS = {
  delivery: {
    path: 'webhooks/deliveries',
    notice: 'delivery',
    filters: ['state', 'type', 'subjectId', 'url', 'merchantId', 'webhookId'],
  },
  event: { path: 'event-log', notice: 'event', filters: ['type', 'collection', 'subjectId', 'requestId'] },
  request: {
    path: 'requests',
    notice: 'call',
    filters: ['status', 'operation', 'reference', 'merchantId', 'environment', 'scenario', 'method', 'path', 'refused'],
  },
} as const;

/** Merges the lists that support all filters of a query; a query with a kind gets only the list of that kind. */
function followTraffic({ kind, ...query }: Query): MergedList<TrafficItem> {
  const filters = Object.keys(query).filter((name) => name !== 'search');
  const isIncluded = ([name, { filters: known }]: [string, { filters: readonly string[] }]) =>
    (kind ?? name).toLowerCase() === name && filters.every((filter) => known.includes(filter));
  const lists = Object.entries(LISTS)
    .filter(isIncluded)
    .map(
      ([, { path, notice }]) =>
        new LiveList<TrafficItem>({
          path,
          query,
          changes: (refresh) => onNotice(notice, refresh),
        }),
    );
  return new MergedList(lists, timeOf);
}

const DEFINITION = {
  screen: 'traffic',
  title: 'Traffic',
  source: followTraffic,
  filters: ['kind', ...new Set(Object.values(LISTS).flatMap(({ filters }) => filters))],
  filterButtons: [
    { value: 'request', label: 'Requests' },
    { value: 'delivery', label: 'Deliveries' },
    { value: 'event', label: 'Events' },
  ],
  isLog: true,
  row: trafficRow,
  empty: (
    <Empty title="No traffic yet">
      <p>Calls to the merchant API, deliveries of notifications, and every change of a record are listed here.</p>
    </Empty>
  ),
  detail: (id) => <Detail id={id} />,
  summary: (
    <OverviewSummary
      show={(overview) => (
        <>
          {overview.calls.count === 0 ? null : <RefusedCalls calls={overview.calls} />}
          <Deliveries overview={overview} />
        </>
      )}
    />
  ),
  actions: (
    <Menu
      name="Actions"
      button={
        <>
          <Icon name="more" />
          Actions
        </>
      }
      choices={[
        { key: 'resend', label: 'Send failed deliveries again', run: () => void resendFailed() },
        { key: 'clear', label: 'Clear the request log', run: () => void clearRequests() },
      ]}
    />
  ),
} satisfies ListDefinition<TrafficItem>;

export function Traffic() {
  const [endpoint, ...others] = useEndpoints();
  const to = endpoint && (others.length === 0 ? ` to ${endpointName(endpoint)}` : ` to ${others.length + 1} endpoints`);
  const about = `Requests from your code, deliveries of notifications${to ?? ''}, and events: what happened in the sandbox.`;
  return <ListScreen definition={{ ...DEFINITION, about, row: others.length === 0 ? trafficRow : rowWithEndpoint }} />;
}

/** The ids of events are numbers; other ids begin with their kind. */
function Detail({ id }: { id: string }) {
  if (id.startsWith('request-')) {
    return <RequestDetail id={id} />;
  }
  return id.startsWith('delivery-') ? <DeliveryDetail id={id} /> : <EventDetail id={id} />;
}

function resendFailed(): Promise<boolean> {
  return attempt(async () => {
    const { items } = await ask<ListPage<DeliveryView>>('POST', 'webhooks/deliveries/replay-failed');
    showToast(
      items.length === 0 ? 'No delivery has failed.' : `${plural(items.length, 'delivery', 'deliveries')} sent again.`,
    );
  });
}

function clearRequests(): Promise<boolean> {
  return attempt(async () => {
    await ask('DELETE', 'requests');
    showToast('The request log was cleared.');
  });
}
