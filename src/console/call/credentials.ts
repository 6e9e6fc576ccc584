import type { MerchantCredentials } from '../../base/schema/generated/control.ts';
import { apiAddress, baseAddress } from '../address.ts';
import { ask } from '../api.ts';

/** The text that replaces a secret. */
const MASKED = '***';

/** A call of the merchant API, as this browser can send it. */
export interface MerchantCall {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** The keys of a merchant; undefined without a merchant, or if they cannot be fetched. The sandbox records an event for each such call. */
export async function revealCredentials(merchantId: string | null): Promise<MerchantCredentials | undefined> {
  if (merchantId === null) {
    return undefined;
  }
  return ask<MerchantCredentials>('POST', `merchants/${encodeURIComponent(merchantId)}/credentials`).catch(
    () => undefined,
  );
}

export async function fetchAccessToken(credentials: MerchantCredentials): Promise<string> {
  const answer = await fetch(new URL(`${baseAddress}/auth/authenticate/merchant`, apiAddress), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/plain, application/json' },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) {
    throw new Error(`The call for an access token was answered ${answer.status}.`);
  }
  const { token } = await answer.json();
  return String(token);
}

/** A call of the log with the masked secrets filled in, as far as the sandbox knows them. */
export async function withSecrets(call: MerchantCall, merchantId: string | null): Promise<MerchantCall> {
  const authorization = call.headers['authorization'];
  const needsToken = authorization?.includes(MASKED) ?? false;
  if (!needsToken && !JSON.stringify(call.body ?? null).includes(MASKED)) {
    return call;
  }
  // A call that was refused early has no merchant in the log, but may name one in its body.
  const namedMerchant = (call.body as { merchantId?: unknown } | null | undefined)?.merchantId;
  const credentials = await revealCredentials(merchantId ?? (typeof namedMerchant === 'string' ? namedMerchant : null));
  if (credentials === undefined) {
    return call;
  }
  const token = needsToken ? await fetchAccessToken(credentials) : '';
  return {
    ...call,
    headers: needsToken ? { ...call.headers, authorization: `Bearer ${token}` } : call.headers,
    body: fillSecrets(call.body, credentials),
  };
}

export function hasMasks(call: MerchantCall): boolean {
  return JSON.stringify([call.headers, call.body]).includes(MASKED);
}

function fillSecrets(body: unknown, credentials: MerchantCredentials): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value === MASKED && Object.hasOwn(credentials, name) ? credentials[name as keyof MerchantCredentials] : value,
    ]),
  );
}
