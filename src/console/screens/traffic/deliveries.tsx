import type { DeliveryView } from '../../../base/schema/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { ask, type ListPage } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { pathIn } from '../../format.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { AmountOf } from '../../record/money.tsx';
import { onNotice } from '../../stream.ts';
import { attempt, showToast } from '../../toasts.ts';
import { Notifications } from '../overview/notifications.tsx';
import { Summary } from '../overview/summary.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { Endpoints } from './endpoints.tsx';
import { NoDeliveries } from './no-deliveries.tsx';

/** In the address, in place of a delivery's id. */
const ENDPOINTS = 'endpoints';

const DEFINITION: ListDefinition<DeliveryView> = {
  screen: 'deliveries',
  title: 'Deliveries',
  one: 'a delivery',
  source: {
    path: 'webhooks/deliveries',
    collection: 'deliveries',
    take: (_add, refresh) => onNotice('delivery', refresh),
  },
  filters: ['state', 'type', 'subjectId', 'url', 'merchantId', 'webhookId'],
  offered: ['pending', 'held', 'delivered', 'failed', 'dropped'],
  row: ({ state, type, forgery, subject, subjectId, attempts, url, createdAt }) => ({
    shape: <Shape tone={toneOf(state)} />,
    title: subject?.reference ?? subjectId,
    detail: (
      <>
        <StateWord state={state} />
        {attempts.length === 0 ? null : ` ${attempts.at(-1)?.status ?? 'no answer'}`} · {inWords(type)}
        {forgery ? `, forged: ${forgery.replaceAll('-', ' ')}` : null} · <bdi title={url}>{pathIn(url)}</bdi>
      </>
    ),
    value: <AmountOf subject={subject} />,
    at: createdAt,
  }),
  empty: <NoDeliveries />,
  detail: (id) => (id === ENDPOINTS ? <Endpoints /> : <DeliveryDetail id={id} />),
  summary: (
    <Summary show={(overview) => (overview.deliveries.count === 0 ? null : <Notifications overview={overview} />)} />
  ),
  actions: (
    <div class="actions">
      <button type="button" class="button" onClick={replayFailed}>
        <Icon name="again" />
        Resend failed
      </button>
      <a class="button" href={pathOf('deliveries', ENDPOINTS)}>
        <Icon name="target" />
        Endpoints
      </a>
    </div>
  ),
};

export function Deliveries() {
  return <ListScreen definition={DEFINITION} />;
}

function replayFailed(): Promise<boolean> {
  return attempt(async () => {
    const { items } = await ask<ListPage<DeliveryView>>('POST', 'webhooks/deliveries/replay-failed');
    showToast(
      items.length === 0 ? 'No notifications were given up.' : `${plural(items.length, 'notification')} sent again.`,
    );
  });
}
