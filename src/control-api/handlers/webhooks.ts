import type { DeliveriesQuery, EndpointView, PageQuery, WebhookEndpoints } from '../../schema/control.ts';
import { replay } from '../../webhooks/delivery.ts';
import { endpointsOf, secretFrom } from '../../webhooks/endpoints.ts';
import { findRecord } from '../find-record.ts';
import { listRecords, pageOf } from '../lists.ts';
import { type ControlOperation, listOf, one, type SessionCall, sessionRow } from '../operation.ts';
import { viewDelivery } from '../views.ts';

const SECRET_BYTES = 24;

/** Where notifications go, and what became of each. */
export const WEBHOOK_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listWebhookEndpoints',
    summary: 'Where notifications go, with the secrets that sign them',
    method: 'GET',
    path: '/webhooks/endpoints',
    query: 'control/page-query',
    request: null,
    response: listOf('control/endpoint'),
    handle: async (call) => pageOf(await endpointsFor(call), call.query, ({ id }) => id),
  }),
  sessionRow<WebhookEndpoints>({
    name: 'setWebhookEndpoints',
    summary: "Replace the session's own endpoints",
    method: 'PUT',
    path: '/webhooks/endpoints',
    query: null,
    request: 'control/webhook-endpoints',
    response: listOf('control/endpoint'),
    handle: async (call) => {
      for (const { url } of call.body.endpoints) {
        call.parts.checkWebhookTarget(url);
      }
      await call.session.transact(async (transaction) => {
        for (const { id } of await transaction.all('endpoints')) {
          transaction.remove('endpoints', id);
        }
        for (const { url, secret, merchantId, types } of call.body.endpoints) {
          transaction.put('endpoints', {
            id: `endpoint-${transaction.next('endpoint')}`,
            url,
            secret: secret ?? secretFrom(transaction.ids.bytes(SECRET_BYTES)),
            merchantId: merchantId ?? null,
            types: types ?? null,
          });
        }
      });
      return { items: await endpointsFor(call), nextCursor: null };
    },
  }),
  sessionRow<undefined, DeliveriesQuery>({
    name: 'listDeliveries',
    summary: 'Notifications with every attempt, newest first',
    method: 'GET',
    path: '/webhooks/deliveries',
    query: 'control/deliveries-query',
    request: null,
    response: listOf('control/delivery'),
    handle: (call) => listRecords(call, 'deliveries', viewDelivery),
  }),
  sessionRow({
    name: 'getDelivery',
    summary: 'One notification with every attempt',
    method: 'GET',
    path: '/webhooks/deliveries/{id}',
    query: null,
    request: null,
    response: one('control/delivery'),
    handle: async ({ session, parameters }) =>
      viewDelivery(await session.read((reader) => findRecord(reader, 'deliveries', parameters['id']))),
  }),
  sessionRow({
    name: 'replayDelivery',
    summary: 'Send a notification once more, under the same webhook-id',
    method: 'POST',
    path: '/webhooks/deliveries/{id}/replay',
    query: null,
    request: null,
    response: one('control/delivery'),
    handle: ({ session, parameters }) =>
      session.transact(async (transaction) =>
        viewDelivery(replay(transaction, await findRecord(transaction, 'deliveries', parameters['id']))),
      ),
  }),
  sessionRow({
    name: 'replayFailedDeliveries',
    summary: 'Send all notifications once more that were given up',
    method: 'POST',
    path: '/webhooks/deliveries/replay-failed',
    query: null,
    request: null,
    response: listOf('control/delivery'),
    handle: ({ session }) =>
      session.transact(async (transaction) => {
        const failed = (await transaction.all('deliveries')).filter(({ state }) => state === 'failed');
        return { items: failed.map((delivery) => viewDelivery(replay(transaction, delivery))), nextCursor: null };
      }),
  }),
];

function endpointsFor({ session, parts }: SessionCall): Promise<EndpointView[]> {
  return session.read((reader) => endpointsOf(reader, parts.webhookUrl));
}
