import type { MerchantCredentials } from '../../base/schema/generated/control.ts';
import { apiAddress, baseAddress } from '../address.ts';
import { ask } from '../api.ts';

const MASK = '***';

/** A call of the merchant or control API, as this browser can send it. */
export interface ApiCall {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** Undefined without a merchant, or if the call fails. The session records each such call as an event. */
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

/** A logged call with a new token and its merchant's credentials in place of masks; unchanged if the credentials are unknown. */
export async function withSecrets(call: ApiCall, merchantId: string | null): Promise<ApiCall> {
  const authorization = call.headers['authorization'];
  const needsToken = authorization?.includes(MASK) ?? false;
  if (!needsToken && !JSON.stringify(call.body ?? null).includes(MASK)) {
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

export function hasMasks(call: ApiCall): boolean {
  return JSON.stringify([call.headers, call.body]).includes(MASK);
}

function fillSecrets(body: unknown, credentials: MerchantCredentials): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value === MASK && Object.hasOwn(credentials, name) ? credentials[name as keyof MerchantCredentials] : value,
    ]),
  );
}
