import type { PaymentView } from '../../base/schema/generated/control.ts';
import { Icon } from '../components/icon.tsx';
import { payerPageOf } from '../screens/payments/payer-page-of.ts';

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
