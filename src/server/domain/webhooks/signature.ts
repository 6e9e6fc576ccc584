import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { membersOf } from '../../../base/members.ts';
import type { Delivery, NotificationRules } from '../../../base/schema/generated/records.ts';
import { toDate } from '../../../base/time.ts';
import { machineNow } from '../../../base/timers.ts';
import { deriveSecret } from './endpoints.ts';

const require = createRequire(import.meta.url);

/** Age of a forged timestamp; receivers accept five minutes at most. Source: Standard Webhooks. */
const FORGED_AGE_SECONDS = 3600;

/** A delivery with the previous secrets of its endpoint that still sign. */
export type SignedDelivery = Delivery & { previousSecrets?: readonly string[] };

/** The headers of an attempt, with its signature or hash. `timestamp` is in seconds (default: now, or an hour ago if it is forged). */
export function headersOf(
  { webhookId, secret, previousSecrets = [], body, forgery, rules }: SignedDelivery,
  timestamp?: number,
): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'merchant-sandbox' };
  if (secret === null || forgery === 'unsigned') {
    return headers;
  }
  const isForged = forgery === 'wrong-signature';
  const key = isForged ? deriveSecret(secret, 'forged') : secret;
  const keys = isForged ? [key] : [key, ...previousSecrets];
  const age = forgery === 'old-timestamp' ? FORGED_AGE_SECONDS : 0;
  switch (rules?.proof) {
    case 'none':
      return headers;
    case 'hash':
      return { ...headers, ...hashHeaders(body, key, rules) };
    default:
      return { ...headers, ...signatureHeaders(webhookId, keys, body, timestamp ?? secondsNow() - age) };
  }
}

/** Whether a delivery is a forgery that no receiver can detect, because its provider sends no signatures or signs no timestamp. */
export function isUndetectableForgery({ forgery, rules }: Pick<Delivery, 'forgery' | 'rules'>): boolean {
  const isSignatureForgery = forgery === 'wrong-signature' || forgery === 'unsigned' || forgery === 'old-timestamp';
  return (isSignatureForgery && rules?.proof === 'none') || (forgery === 'old-timestamp' && rules?.proof === 'hash');
}

/** By the machine's clock even in a frozen session, because receivers compare a timestamp with their own clock. */
function secondsNow(): number {
  return Math.floor(machineNow() / 1000);
}

/** One signature for each secret. Source: Standard Webhooks. */
function signatureHeaders(id: string, secrets: readonly string[], body: string, seconds: number) {
  const { Webhook } = loadWebhookLibrary();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, toDate(seconds * 1000), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** Loaded for the first signature, so that the sandbox starts faster. */
const loadWebhookLibrary = (): typeof import('standardwebhooks') => require('standardwebhooks');

function hashHeaders(body: string, secret: string, { hash }: NotificationRules): Record<string, string> {
  if (!hash) {
    return {};
  }
  const members = membersOf(JSON.parse(body));
  const text = [...hash.fields.map((field) => String(members[field])), secret].join('');
  return { [hash.header]: createHash(hash.algorithm).update(text).digest('hex') };
}
