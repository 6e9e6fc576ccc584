import { exampleMembers, examplesFor } from './call-examples.ts';
import type { Components } from './components.ts';

type Json = Record<string, unknown>;

/** Headers of Standard Webhooks. */
const HEADERS = {
  'webhook-id': {
    description: 'The same for every attempt, so a notification with a known id is a duplicate.',
    example: 'msg_5f0c7a1be29d4438a6f1c05d',
  },
  'webhook-timestamp': { description: 'When the attempt was made, in seconds since 1970.', example: '1772359200' },
  'webhook-signature': {
    description: "`v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}` by the endpoint's secret.",
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const;

/** The notifications that the sandbox sends, and the meaning of their answers. */
export function webhookObjects(components: Components): Json {
  const values = examplesFor('POST', ['/sandbox/init/customerWebhookTester']).map(({ answer: value, ...example }) => ({
    ...example,
    value,
  }));
  const schema = components.schema('responses/notification');
  return {
    transaction: {
      post: {
        operationId: 'notifyOfTransaction',
        summary: 'Notification of a payment or payout',
        description:
          "Sent to the merchant's endpoints when a payment is paid, fails, is cancelled or expires; when a paid payment is refunded, " +
          'reversed or charged back, in part or whole, or a chargeback is reversed; when a credit of a payout, which ' +
          '`description` names by its number and code, is paid, fails or is returned; and when a payout is then paid, ' +
          'partly paid or failed. Each event has its own `status`. Only `Paid`, which is sent once, means that a payment or ' +
          'payout was paid. Signed by Standard Webhooks. Any 2xx within 15 seconds counts as delivered; otherwise it is sent again, at growing ' +
          'intervals over three days.',
        tags: ['webhooks'],
        'x-provenance': 'interface',
        security: [],
        parameters: Object.entries(HEADERS).map(([name, header]) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
          ...header,
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema, ...exampleMembers(values) } },
        },
        responses: {
          204: { description: 'Delivered.' },
          400: { description: 'Not delivered: it is sent again, as after any other error.' },
        },
      },
    },
  };
}
