import type { CallContext } from '../../sessions/call-context.ts';
import type { Session } from '../../sessions/session.ts';
import { deriveSecret } from './endpoints.ts';
import { addDelivery } from './outbox.ts';

/** Sends the webhook tester's sample in one attempt, at once. Resolves after the attempt, with headers that report its outcome. */
export async function sendSample(
  session: Session,
  url: string,
  body: string,
  context: CallContext,
): Promise<Record<string, string>> {
  const { generation } = context;
  const { id } = await session.transact(
    async (transaction) =>
      addDelivery(transaction, {
        endpointId: null,
        url,
        secret: deriveSecret(transaction.seed, url),
        type: 'webhook.test',
        subjectId: 'webhook-test',
        merchantId: null,
        body,
        webhookBehaviour: { mode: 'normal' },
        isTest: true,
        dueAt: transaction.now,
      }),
    context,
  );
  await session.scheduler.waitUntilDone({ collection: 'deliveries', recordId: id }, generation);
  const delivery = await session.read(async (reader) => reader.get('deliveries', id), context);
  return { 'X-Sandbox-Delivery': id, 'X-Sandbox-Delivery-Outcome': outcomeOf(delivery?.attempts.at(-1)) };
}

function outcomeOf(attempt: { error: string | null; status: number | null; ms: number } | undefined): string {
  if (!attempt) {
    return 'not sent: the sandbox is stopping';
  }
  const { error, status, ms } = attempt;
  const outcome = error === null ? `delivered: ${status} in ${ms} ms` : `failed in ${ms} ms: ${error}`;
  return outcome.replace(/[^\x20-\x7e]/g, '?');
}
