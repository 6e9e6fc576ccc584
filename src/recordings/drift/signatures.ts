import type { RecordedHeaders } from '../../base/schema/generated/recordings.ts';
import type { SideValue } from './single-difference.ts';
import { formatOf } from './value-formats.ts';

const STANDARD_WEBHOOKS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const SIGNATURE_NAME = /signature|hash|hmac|digest/i;

/** Whether a header is part of the signature. All such headers are compared as one. */
export function isSignatureHeader(name: string): boolean {
  return STANDARD_WEBHOOKS.includes(name) || SIGNATURE_NAME.test(name);
}

export function signatureOf(headers: RecordedHeaders): SideValue {
  const names = headers.map(({ name }) => name.toLowerCase());
  if (STANDARD_WEBHOOKS.every((name) => names.includes(name))) {
    return { is: 'Standard Webhooks' };
  }
  const header = headers.find(({ name }) => SIGNATURE_NAME.test(name));
  return header ? { is: `header ${header.name.toLowerCase()}`, value: formatOf(header.value) } : { is: 'no signature' };
}

/** A masked signature equals any other in the same header, because its value is unknown. */
export function isSameSignature(one: SideValue, other: SideValue): boolean {
  return one.is === other.is && (one.value === other.value || [one.value, other.value].includes('masked'));
}
