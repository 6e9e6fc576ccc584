import { baseAddress } from '../../address.ts';
import { addressOfCall } from '../../call/address-of-call.ts';
import { fetchAccessToken, revealCredentials } from '../../call/credentials.ts';
import { merchants } from '../../session-facts.ts';
import type { MerchantOperation } from './fetch-operations.ts';

export interface ComposerDraft {
  environment: 'sandbox' | 'production';
  parameters: Readonly<Record<string, string>>;
  body: string;
  /** Whose token is sent; undefined for the first merchant, which may not be loaded yet. */
  merchantId: string | undefined;
}

/** An image of one pixel, sent for each image of a form, because the composer cannot select files. */
const PIXEL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Sends a draft as an integration would; resolves with the id of the call in the request log. */
export async function sendDraft(operation: MerchantOperation, draft: ComposerDraft): Promise<string> {
  const answer = await fetch(
    `${baseAddress}${addressOfCall(operation.paths[draft.environment], operation.parameters, draft.parameters)}`,
    {
      method: operation.method,
      headers: {
        Accept: 'text/plain, application/json',
        ...(draft.body === '' || operation.isForm ? {} : { 'Content-Type': 'application/json' }),
        ...(operation.needsToken ? { Authorization: `Bearer ${await tokenFor(merchantOf(draft))}` } : {}),
      },
      body: operation.isForm ? formOf(draft.body) : draft.body === '' ? null : draft.body,
    },
  ).catch(() => {
    throw new Error('No answer was received: the scenario cut the connection, or the sandbox is not running.');
  });
  const id = answer.headers.get('X-Sandbox-Request');
  if (id === null) {
    throw new Error(`Answered ${answer.status}, by something other than the sandbox.`);
  }
  return id;
}

export function merchantOf({ merchantId }: ComposerDraft): string {
  return merchantId ?? merchants.value[0]?.id ?? '';
}

async function tokenFor(merchantId: string): Promise<string> {
  const credentials = await revealCredentials(merchantId);
  return credentials === undefined ? '' : fetchAccessToken(credentials);
}

function formOf(body: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(JSON.parse(body) as Record<string, unknown>)) {
    if (/\.(png|jpe?g|gif|webp)$/.test(String(value))) {
      const bytes = Uint8Array.from(atob(PIXEL_PNG), (character) => character.charCodeAt(0));
      form.set(name, new Blob([bytes], { type: 'image/png' }), String(value));
    } else {
      form.set(name, String(value));
    }
  }
  return form;
}
