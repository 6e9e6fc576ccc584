import type { RecordedHeaders } from '../../base/schema/generated/recordings.ts';
import type { SideValue } from './single-difference.ts';
import { formatOf } from './value-formats.ts';

const STANDARD_WEBHOOKS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const PROOF_NAME = /signature|hash|hmac|digest/i;

/** Whether a header is part of the signature. All such headers are compared as one. */
export function isProofHeader(name: string): boolean {
  return STANDARD_WEBHOOKS.includes(name) || PROOF_NAME.test(name);
}

/** How a notification is signed. */
export function proofOf(headers: RecordedHeaders): SideValue {
  const names = headers.map(({ name }) => name.toLowerCase());
  if (STANDARD_WEBHOOKS.every((name) => names.includes(name))) {
    return { is: 'Standard Webhooks' };
  }
  const proof = headers.find(({ name }) => PROOF_NAME.test(name));
  return proof ? { is: `header ${proof.name.toLowerCase()}`, value: formatOf(proof.value) } : { is: 'no signature' };
}

/** A masked signature equals any other in the same header, because its value is unknown. */
export function isSameProof(one: SideValue, other: SideValue): boolean {
  return one.is === other.is && (one.value === other.value || [one.value, other.value].includes('masked'));
}
