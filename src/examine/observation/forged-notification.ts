import { randomUUID } from 'node:crypto';
import { membersOf } from '../../base/members.ts';
import { fetchWhole } from '../../base/outbound.ts';
import { machineNow } from '../../base/timers.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import type { ExaminerStep } from './observation.ts';

const WRONG_SIGNATURE = `v1,${Buffer.alloc(32).toString('base64')}`;
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Sends a copy of the first notification, with another status and a wrong signature. Undefined without a notification or a webhook. */
export async function forgeNotification(
  status: string,
  { client, webhook }: Pick<ExaminedShop, 'client' | 'webhook'>,
): Promise<ExaminerStep | undefined> {
  const { items } = await client.deliveries({ order: 'oldest', limit: '100' });
  const genuine = items.find(({ forgery, attempts }) => forgery === undefined && attempts.length > 0);
  if (!genuine || !webhook) {
    return undefined;
  }
  const { now: at } = await client.clock();
  const answer = await fetchWhole(webhook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': `msg_${randomUUID()}`,
      'webhook-timestamp': String(Math.floor(machineNow() / 1000)),
      'webhook-signature': WRONG_SIGNATURE,
    },
    body: JSON.stringify({ ...membersOf(JSON.parse(genuine.body)), status }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    canBeCut: true,
  }).then(
    ({ status: answered }) => `answers ${answered}`,
    () => 'gives no answer',
  );
  const text = `sends a notification with a wrong signature that says ${status}: shop ${answer}`;
  return { at, who: 'attacker', text };
}
