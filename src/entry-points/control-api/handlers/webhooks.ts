import { Refusal } from '../../../base/refusal.ts';
import type {
  DeliveriesQuery,
  EndpointSecret,
  EndpointsQuery,
  EndpointsView,
  WebhookEndpoints,
} from '../../../base/schema/control.ts';
import { MASK } from '../../../base/text/redact.ts';
import { replay } from '../../../domain/webhooks/delivery.ts';
import { endpointsOf, secretFrom } from '../../../domain/webhooks/endpoints.ts';
import { findRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { type ControlOperation, listOf, one, type SessionCall, sessionRow } from '../operation.ts';
import { viewDelivery } from '../views.ts';

const SECRET_BYTES = 24;

/** Where notifications go, and what became of each. */
export const WEBHOOK_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, EndpointsQuery>({
    name: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Where notifications go, with the secrets that sign them, or with these masked.',
    method: 'GET',
    path: '/webhooks/endpoints',
    query: 'control/endpoints-query',
    request: null,
    response: one('control/endpoints-view'),
    handle: async (call) => {
      const { endpoints } = await endpointsFor(call);
      const isMasked = call.query.secrets === false;
      return { endpoints: isMasked ? endpoints.map((endpoint) => ({ ...endpoint, secret: MASK })) : endpoints };
    },
  }),
  sessionRow({
    name: 'revealEndpointSecret',
    summary: 'Reveal the secret of a webhook endpoint',
    description: 'The secret that signs the notifications to an address. Asking is an event, `secret.revealed`.',
    method: 'POST',
    path: '/webhooks/endpoints/{id}/secret',
    query: null,
    request: null,
    response: one('control/endpoint-secret'),
    handle: revealSecret,
  }),
  sessionRow<WebhookEndpoints>({
    name: 'setWebhookEndpoints',
    summary: 'Set webhook endpoints',
    description: "Replaces the session's own endpoints. An endpoint without a secret gets one.",
    refusals: ['business-rule'],
    method: 'PUT',
    path: '/webhooks/endpoints',
    query: null,
    request: 'control/webhook-endpoints',
    response: one('control/endpoints-view'),
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
      return endpointsFor(call);
    },
  }),
  sessionRow<undefined, DeliveriesQuery>({
    name: 'listDeliveries',
    summary: 'List deliveries',
    description:
      'Notifications with every attempt, newest first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/webhooks/deliveries',
    query: 'control/deliveries-query',
    request: null,
    response: listOf('control/delivery'),
    handle: (call) => listRecords(call, 'deliveries', viewDelivery),
  }),
  sessionRow({
    name: 'getDelivery',
    summary: 'Get a delivery',
    description: 'One notification with every attempt.',
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
    summary: 'Replay a delivery',
    description: 'Sends a notification once more, under the same `webhook-id`.',
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
    summary: 'Replay failed deliveries',
    description: 'Sends all notifications once more that were given up.',
    refusals: ['unknown-record'],
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

function revealSecret({ session, parts, parameters }: SessionCall): Promise<EndpointSecret> {
  const wanted = parameters['id'];
  return session.transact(async (transaction) => {
    const endpoint = (await endpointsOf(transaction, parts.webhookUrl)).find(({ id }) => id === wanted);
    if (!endpoint) {
      throw new Refusal('unknown-record', `there is no endpoint ${JSON.stringify(wanted)} in this session`);
    }
    const { id, url, secret } = endpoint;
    transaction.emit('secret.revealed', 'endpoints', id, { what: 'endpoint secret' });
    return { id, url, secret };
  });
}

async function endpointsFor({ session, parts }: Pick<SessionCall, 'session' | 'parts'>): Promise<EndpointsView> {
  return { endpoints: await session.read((reader) => endpointsOf(reader, parts.webhookUrl)) };
}
