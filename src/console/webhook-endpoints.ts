import { useEffect, useState } from 'preact/hooks';
import { CATCH_URL, isCaught } from '../base/catch.ts';
import type { EndpointSecret, EndpointsView, EndpointView } from '../base/schema/generated/control.ts';
import { ask } from './api.ts';
import { onNotice } from './stream.ts';
import { attempt, showToast } from './toasts.ts';

async function fetchEndpoints(): Promise<readonly EndpointView[]> {
  return (await ask<EndpointsView>('GET', 'webhooks/endpoints', { query: { secrets: 'false' } })).endpoints;
}

export function useEndpoints(): readonly EndpointView[] {
  const [endpoints, setEndpoints] = useState<readonly EndpointView[]>([]);
  useEffect(() => {
    const load = () => attempt(async () => setEndpoints(await fetchEndpoints()));
    void load();
    return onNotice('changed', ({ collection }) => ['endpoints', 'webhookQueues'].includes(collection) && void load());
  }, []);
  return endpoints;
}

/** Adds the endpoint at which the sandbox catches notifications, unless the session has it. */
export async function addCatchEndpoint(): Promise<void> {
  if (!(await fetchEndpoints()).some(isCaught)) {
    await changeEndpoints((all) => [...all, newEndpoint(CATCH_URL)]);
  }
}

/** A new endpoint for all merchants and notifications. */
export function newEndpoint(url: string): EndpointDraft {
  return { url, source: 'session', merchantId: null, types: null };
}

export function catchHere(): Promise<boolean> {
  return attempt(async () => {
    await addCatchEndpoint();
    showToast('Notifications are now caught here.');
  });
}

type EndpointDraft = Pick<EndpointView, 'url' | 'source' | 'merchantId' | 'types'> & Partial<Pick<EndpointView, 'id'>>;

/** Whether two endpoints have the same settings. Ids cannot be compared, because they change whenever endpoints are set. */
export function isSameEndpoint(one: EndpointDraft, other: EndpointDraft): boolean {
  const keyOf = ({ url, merchantId, types, source }: EndpointDraft) => JSON.stringify([url, merchantId, types, source]);
  return keyOf(one) === keyOf(other);
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Changes the session's own endpoints. Changes run one after another, because each starts from the result of the previous one. */
export function changeEndpoints(change: (all: readonly EndpointDraft[]) => readonly EndpointDraft[]): Promise<void> {
  const changed = lastChange.then(async () => saveEndpoints(change(await fetchEndpoints())));
  lastChange = changed.catch(() => undefined);
  return changed;
}

/** Replaces all endpoints of the session, so those that stay are sent with their secrets. */
async function saveEndpoints(endpoints: readonly EndpointDraft[]): Promise<void> {
  const sessionEndpoints = endpoints.filter(({ source }) => source === 'session');
  const settings = await Promise.all(
    sessionEndpoints.map(async ({ id, url, merchantId, types }) => ({
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
  await ask('PUT', 'webhooks/endpoints', { body: { endpoints: settings } });
}
