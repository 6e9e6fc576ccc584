import type { Delivery } from './schema/generated/records.ts';

/** Forgeries with a valid signature, which a receiver may acknowledge and ignore. */
const VALIDLY_SIGNED: readonly Delivery['forgery'][] = ['wrong-amount', 'wrong-currency', 'unknown-reference'];

/** Whether a receiver that verifies signatures and their timestamps would refuse a delivery. */
export function isWronglySigned({ forgery, webhookBehaviour }: Pick<Delivery, 'forgery' | 'webhookBehaviour'>) {
  return forgery === undefined ? webhookBehaviour.mode === 'tampered' : !VALIDLY_SIGNED.includes(forgery);
}
