import { payerPagePath } from '../../../base/payer-page-path.ts';
import type { PaymentView } from '../../../base/schema/generated/control.ts';
import { baseAddress } from '../../address.ts';
import { session } from '../../session-facts.ts';

export function payerPageOf(payment: PaymentView): { address: string; label: string } {
  // A phone that scans the code uses the public address, which may differ from that of this browser.
  const base = session.value?.url ?? baseAddress;
  const label = payment.paymentCode === null ? "Open the payer's page" : "Open the payer's wallet";
  return { address: `${base}${payerPagePath(payment)}`, label };
}
