import type { PaymentView } from '../../base/schema/control.ts';
import { Icon } from '../components/icon.tsx';
import { payerPageOf } from '../screens/payments/payer-page.ts';

/** The way to where the payer of a payment decides, in a tab of its own. */
export function BeThePayer({ payment }: { payment: PaymentView }) {
  return (
    <a
      class="button primary large"
      href={payerPageOf(payment).address}
      target="_blank"
      rel="noreferrer"
      data-testid="be-the-payer"
    >
      <Icon name="payer" />
      Be the payer
    </a>
  );
}
