import { CATCH, isCaught } from '../base/catch.ts';
import type { EndpointSecret, EndpointsView, EndpointView } from '../base/schema/control.ts';
import { ask } from './api.ts';
import { attempt, say } from './toasts.ts';

/** Where notifications go, without the secrets. */
export async function fetchEndpoints(): Promise<readonly EndpointView[]> {
  return (await ask<EndpointsView>('GET', 'webhooks/endpoints', { query: { secrets: 'false' } })).endpoints;
}

/** Notifications are taken by the built-in receiver from now on, besides where else they go. */
export async function addCatch(): Promise<void> {
  const endpoints = await fetchEndpoints();
  if (!endpoints.some(isCaught)) {
    await saveEndpoints([...endpoints, { url: CATCH, source: 'session', merchantId: null, types: null }]);
  }
}

/** The same, asked for by a button. */
export function catchHere(): Promise<boolean> {
  return attempt(async () => {
    await addCatch();
    say('Notifications are now caught here.');
  });
}

type SavedEndpoint = Pick<EndpointView, 'url' | 'source' | 'merchantId' | 'types'> & Partial<Pick<EndpointView, 'id'>>;

/** The session's own are set as a whole, so that those which stay must keep their secrets. */
export async function saveEndpoints(endpoints: readonly SavedEndpoint[]): Promise<void> {
  const own = endpoints.filter(({ source }) => source === 'session');
  const kept = await Promise.all(
    own.map(async ({ id, url, merchantId, types }) => ({
      url,
      ...(merchantId === null ? {} : { merchantId }),
      ...(types === null ? {} : { types }),
      ...(id === undefined
        ? {}
        : {
            secret: (await ask<EndpointSecret>('POST', `webhooks/endpoints/${encodeURIComponent(id)}/secret`)).secret,
          }),
    })),
  );
  await ask('PUT', 'webhooks/endpoints', { body: { endpoints: kept } });
}
