import { createHash } from 'node:crypto';
import { loadLibrary } from '../../base/load-once.ts';
import { membersOf } from '../../base/members.ts';
import type { Delivery, NotificationRules } from '../../base/schema/records.ts';
import { toDate } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import { secretFor } from './endpoints.ts';

/** How old a forged timestamp is; receivers take five minutes at most. Source: Standard Webhooks. */
const OLD_SECONDS = 3600;

/** What is sent besides the body, with what proves who sent it. The timestamp, in seconds, is now where it is left out. */
export async function headersOf(
  { webhookId, secret, body, forgery, rules }: Delivery,
  timestamp?: number,
): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'merchant-sandbox' };
  if (secret === null || forgery === 'unsigned') {
    return headers;
  }
  const key = forgery === 'wrong-signature' ? secretFor(secret, 'forged') : secret;
  switch (rules?.proof) {
    case 'none':
      return headers;
    case 'hash':
      return { ...headers, ...hashOver(body, key, rules) };
    default: {
      const age = forgery === 'old-timestamp' ? OLD_SECONDS : 0;
      return { ...headers, ...(await signatureOf(webhookId, key, body, timestamp ?? secondsNow() - age)) };
    }
  }
}

/** The machine's clock: receivers hold a timestamp against their own, frozen session or not. */
function secondsNow(): number {
  return Math.floor(machineNow() / 1000);
}

/** Source: Standard Webhooks. */
async function signatureOf(id: string, secret: string, body: string, seconds: number): Promise<Record<string, string>> {
  const { Webhook } = await library();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(id, toDate(seconds * 1000), body),
  };
}

const library = loadLibrary(() => import('standardwebhooks'));

function hashOver(body: string, secret: string, { hash }: NotificationRules): Record<string, string> {
  if (!hash) {
    return {};
  }
  const members = membersOf(JSON.parse(body));
  const text = [...hash.fields.map((field) => String(members[field])), secret].join('');
  return { [hash.header]: createHash(hash.algorithm).update(text).digest('hex') };
}
