import { Refusal } from '../../refusal.ts';
import type { WebhookEndpoints } from '../../schema/control.ts';
import type { Delivery } from '../../schema/records.ts';
import { replay } from '../../webhooks/delivery.ts';
import { endpointsOf, secretFrom } from '../../webhooks/endpoints.ts';
import { listRecords } from '../lists.ts';
import { type ControlCall, type ControlOperation, controlRow } from '../operation.ts';
import { viewDelivery } from '../views.ts';

const SECRET_BYTES = 24;

/** Where notifications go, and what became of each. */
export const WEBHOOK_OPERATIONS: readonly ControlOperation[] = [
  controlRow({
    name: 'listWebhookEndpoints',
    summary: 'Where notifications go, with the secrets that sign them',
    method: 'GET',
    path: '/webhooks/endpoints',
    request: null,
    handle: listEndpoints,
  }),
  controlRow<WebhookEndpoints>({
    name: 'setWebhookEndpoints',
    summary: "Replace the session's own endpoints",
    method: 'PUT',
    path: '/webhooks/endpoints',
    request: 'control/webhook-endpoints',
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
      return listEndpoints(call);
    },
  }),
  controlRow({
    name: 'listDeliveries',
    summary: 'Notifications with every attempt, newest first',
    method: 'GET',
    path: '/webhooks/deliveries',
    request: null,
    handle: (call) =>
      listRecords(
        call as ControlCall<never>,
        'deliveries',
        ['state', 'type', 'subjectId', 'merchantId', 'url', 'webhookId'],
        viewDelivery,
      ),
  }),
  controlRow({
    name: 'getDelivery',
    summary: 'One notification with every attempt',
    method: 'GET',
    path: '/webhooks/deliveries/{id}',
    request: null,
    handle: async ({ session, parameters }) =>
      viewDelivery(
        required(await session.read((reader) => reader.get('deliveries', parameters['id'] ?? '')), parameters['id']),
      ),
  }),
  controlRow({
    name: 'replayDelivery',
    summary: 'Send a notification once more, under the same webhook-id',
    method: 'POST',
    path: '/webhooks/deliveries/{id}/replay',
    request: null,
    handle: ({ session, parameters }) =>
      session.transact(async (transaction) =>
        viewDelivery(
          replay(transaction, required(await transaction.get('deliveries', parameters['id'] ?? ''), parameters['id'])),
        ),
      ),
  }),
  controlRow({
    name: 'replayFailedDeliveries',
    summary: 'Send all notifications once more that were given up',
    method: 'POST',
    path: '/webhooks/deliveries/replay-failed',
    request: null,
    handle: ({ session }) =>
      session.transact(async (transaction) => {
        const failed = (await transaction.all('deliveries')).filter(({ state }) => state === 'failed');
        return { items: failed.map((delivery) => viewDelivery(replay(transaction, delivery))), nextCursor: null };
      }),
  }),
];

async function listEndpoints({ session, parts }: ControlCall<unknown>) {
  return { items: await session.read((reader) => endpointsOf(reader, parts.webhookUrl)), nextCursor: null };
}

function required(delivery: Delivery | undefined, id: string | undefined): Delivery {
  if (!delivery) {
    throw new Refusal('unknown-record', `there is no delivery ${JSON.stringify(id)}`);
  }
  return delivery;
}
