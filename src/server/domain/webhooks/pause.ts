import { isCaught } from '../../../base/catch.ts';
import type { SessionSnapshot } from '../../store/store.ts';
import type { KnownEndpoint } from './endpoints.ts';
import { dropped, paused } from './queue.ts';

/**
 * The state of a session with every endpoint paused: waiting and later notifications are held until the endpoint is resumed.
 * Otherwise a copy of a session would send to the receivers of the original. What is caught in the sandbox reaches nobody.
 */
export function pausedDeliveries(snapshot: SessionSnapshot, endpoints: readonly KnownEndpoint[]): SessionSnapshot {
  const { deliveries = [], webhookQueues = [] } = snapshot;
  const urls = new Set(endpoints.filter((endpoint) => !isCaught(endpoint)).map(({ url }) => url));
  const known = new Map(webhookQueues.map((queue) => [queue.id, queue]));
  const stopped = [...urls].map((url) => ({
    ...(known.get(url) ?? { id: url, failures: 0, failingSince: null }),
    state: 'paused' as const,
  }));
  return {
    ...snapshot,
    webhookQueues: [...webhookQueues.filter(({ id }) => !urls.has(id)), ...stopped],
    deliveries: deliveries.map((delivery) => {
      if (delivery.state !== 'pending' || isCaught(delivery)) {
        return delivery;
      }
      return urls.has(delivery.url) ? paused(delivery) : dropped(delivery);
    }),
  };
}
