import { MASK } from '../../../base/masking/redact.ts';
import { Refusal } from '../../../base/refusal.ts';
import { mapInTurns } from '../../../base/run-in-turns.ts';
import type {
  DeliveriesQuery,
  EndpointSecret,
  EndpointsQuery,
  EndpointsView,
  WebhookEndpoints,
} from '../../../base/schema/generated/control.ts';
import { sentenceOfDelivery } from '../../domain/timelines/delivery-entries.ts';
import { giveUpOrphans, replay } from '../../domain/webhooks/delivery-job.ts';
import { endpointsOf, type KnownEndpoint, replaceEndpoints } from '../../domain/webhooks/endpoints.ts';
import { resumeQueue } from '../../domain/webhooks/queue.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type ControlOperation, itemOf, listOf, type SessionCall, sessionRow } from '../control-operation.ts';
import { findRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { viewFullDelivery } from '../subjects.ts';
import { viewEndpoint, viewSentence } from '../views.ts';

export const WEBHOOK_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, EndpointsQuery>({
    name: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'The endpoints that notifications are sent to, with their signing secrets shown or masked.',
    method: 'GET',
    path: '/webhooks/endpoints',
    query: 'control/endpoints-query',
    response: itemOf('control/endpoints-view'),
    handle: async (call) => {
      const { endpoints } = await viewEndpoints(call);
      const isMasked = call.query.secrets === false;
      return { endpoints: isMasked ? endpoints.map((endpoint) => ({ ...endpoint, secret: MASK })) : endpoints };
    },
  }),
  sessionRow({
    name: 'revealEndpointSecret',
    summary: 'Reveal the secret of a webhook endpoint',
    description:
      'The secret with which the notifications to an endpoint are signed. Each call is recorded as an event, `secret.revealed`.',
    method: 'POST',
    path: '/webhooks/endpoints/{id}/secret',
    response: itemOf('control/endpoint-secret'),
    handle: revealSecret,
  }),
  sessionRow({
    name: 'resumeEndpoint',
    summary: 'Resume a webhook endpoint',
    description:
      'Resumes an endpoint that is paused (as in a fork), or that a behaviour has halted or switched off. The held notifications are sent in order, then all later ones.',
    refusals: ['unknown-record', 'conflict'],
    method: 'POST',
    path: '/webhooks/endpoints/{id}/resume',
    response: itemOf('control/endpoints-view'),
    handle: async (call) => {
      await call.session.transact(async (transaction) =>
        resumeQueue(transaction, await findEndpoint(transaction, call)),
      );
      return viewEndpoints(call);
    },
  }),
  sessionRow<WebhookEndpoints>({
    name: 'setWebhookEndpoints',
    summary: 'Set webhook endpoints',
    description:
      "Replaces the session's own endpoints. Without a `secret`, an endpoint keeps the previous secret of its address, or gets a new one. After a secret is replaced, notifications are also signed with the old one for a grace period. Pending notifications to a removed endpoint are dropped.",
    refusals: ['business-rule'],
    method: 'PUT',
    path: '/webhooks/endpoints',
    request: 'control/webhook-endpoints',
    response: itemOf('control/endpoints-view'),
    handle: async (call) => {
      for (const { url } of call.body.endpoints) {
        call.parts.checkWebhookTarget(url);
      }
      await call.session.transact(async (transaction) => {
        const others = (await endpointsOf(transaction, call.parts.webhookUrl)).filter(
          ({ source }) => source !== 'session',
        );
        const endpoints = await replaceEndpoints(transaction, call.body.endpoints);
        await giveUpOrphans(transaction, [...endpoints, ...others]);
      });
      return viewEndpoints(call);
    },
  }),
  sessionRow<undefined, DeliveriesQuery>({
    name: 'listDeliveries',
    summary: 'List deliveries',
    description: 'Notifications with all their attempts, newest first.',
    method: 'GET',
    path: '/webhooks/deliveries',
    query: 'control/deliveries-query',
    response: listOf('control/delivery'),
    handle: (call) => listRecords(call, 'deliveries', viewFullDelivery),
  }),
  sessionRow({
    name: 'getDelivery',
    summary: 'Get a delivery',
    description: 'One notification with all its attempts, and a sentence about its outcome.',
    method: 'GET',
    path: '/webhooks/deliveries/{id}',
    response: itemOf('control/delivery'),
    handle: ({ session, parameters }) =>
      session.read(async (reader) => {
        const delivery = await findRecord(reader, 'deliveries', parameters['id']);
        const sentence = viewSentence(sentenceOfDelivery(delivery, reader.now));
        return { ...(await viewFullDelivery(delivery, reader)), sentence };
      }),
  }),
  sessionRow({
    name: 'replayDelivery',
    summary: 'Replay a delivery',
    description: 'Sends a notification again, under the same `webhook-id`.',
    method: 'POST',
    path: '/webhooks/deliveries/{id}/replay',
    response: itemOf('control/delivery'),
    handle: ({ changeRecords, parameters }) =>
      changeRecords(async (transaction) => {
        const delivery = await findRecord(transaction, 'deliveries', parameters['id']);
        return viewFullDelivery(replay(transaction, delivery), transaction);
      }),
  }),
  sessionRow({
    name: 'replayFailedDeliveries',
    summary: 'Replay failed deliveries',
    description: 'Sends again all notifications that were given up, except forged ones.',
    refusals: ['unknown-record'],
    method: 'POST',
    path: '/webhooks/deliveries/replay-failed',
    response: listOf('control/delivery'),
    handle: ({ changeRecords }) =>
      changeRecords(async (transaction) => {
        const deliveries = await transaction.all('deliveries');
        const failedDeliveries = deliveries.filter(({ state, forgery }) => state === 'failed' && forgery === undefined);
        const items = await mapInTurns(failedDeliveries, (delivery) =>
          viewFullDelivery(replay(transaction, delivery), transaction),
        );
        return { items, nextCursor: null };
      }),
  }),
];

async function findEndpoint(reader: Reader, { parts, parameters }: SessionCall): Promise<KnownEndpoint> {
  const endpointId = parameters['id'];
  const endpoint = (await endpointsOf(reader, parts.webhookUrl)).find(({ id }) => id === endpointId);
  if (!endpoint) {
    throw new Refusal('unknown-record', `there is no endpoint ${JSON.stringify(endpointId)} in this session`);
  }
  return endpoint;
}

function revealSecret(call: SessionCall): Promise<EndpointSecret> {
  return call.session.transact(async (transaction) => {
    const { id, url, secret } = await findEndpoint(transaction, call);
    transaction.emit('secret.revealed', 'endpoints', id, { what: 'endpoint secret' });
    return { id, url, secret };
  });
}

function viewEndpoints({ session, parts }: Pick<SessionCall, 'session' | 'parts'>): Promise<EndpointsView> {
  return session.read(async (reader) => {
    const endpoints = await endpointsOf(reader, parts.webhookUrl);
    const queues = new Map((await reader.all('webhookQueues')).map((queue) => [queue.id, queue]));
    return { endpoints: endpoints.map((endpoint) => viewEndpoint(endpoint, queues.get(endpoint.url))) };
  });
}
