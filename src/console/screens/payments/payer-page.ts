import type { PaymentView } from '../../../base/schema/control.ts';
import { baseAddress } from '../../address.ts';
import { session } from '../../facts.ts';

interface PayerPage {
  address: string;
  label: string;
}

/** The page on which the payer of a payment decides; undefined for one that nobody decides. */
export function payerPageOf({ paymentCode, payerMobile, paymentId, channel }: PaymentView): PayerPage | undefined {
  // A phone that scans the code reaches the public address, which may be another than this browser's.
  const base = session.value?.url ?? baseAddress;
  if (paymentCode !== null) {
    return { address: `${base}/pay/approve/${encodeURIComponent(paymentCode)}`, label: "Open the payer's wallet" };
  }
  if (channel === 'mobile-money' && payerMobile !== null) {
    return { address: `${base}/pay/phone/${encodeURIComponent(payerMobile)}`, label: "Open the payer's phone" };
  }
  if (paymentId !== null) {
    return { address: `${base}/pay/checkout?paymentCode=${encodeURIComponent(paymentId)}`, label: 'Open the checkout' };
  }
  return undefined;
}
