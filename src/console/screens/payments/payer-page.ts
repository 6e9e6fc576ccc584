import type { PaymentView } from '../../../base/schema/control.ts';
import { baseAddress } from '../../address.ts';
import { session } from '../../session-facts.ts';

interface PayerPage {
  address: string;
  label: string;
}

/** The page on which the payer of a payment decides. */
export function payerPageOf({ id, paymentCode, channel }: PaymentView): PayerPage {
  // A phone that scans the code reaches the public address, which may be another than this browser's.
  const base = session.value?.url ?? baseAddress;
  return channel === 'qr-wallet' && paymentCode !== null
    ? { address: `${base}/pay/approve/${encodeURIComponent(paymentCode)}`, label: "Open the payer's wallet" }
    : { address: `${base}/pay/payments/${encodeURIComponent(id)}`, label: "Open the payer's page" };
}
