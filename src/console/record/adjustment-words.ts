import type { PaymentView } from '../../base/schema/control.ts';
import type { Tone } from '../components/state.tsx';

export type AdjustmentKind = NonNullable<PaymentView['adjustments']>[number]['kind'];

interface Words {
  choice: string;
  done: string;
  coming: string;
  /** The event that merchants are notified of. */
  event: string;
  tone: Tone;
}

/** What may happen to a payment after it was paid: as a choice, as something that happened, and as something that is to come. */
export const ADJUSTMENTS: Readonly<Record<AdjustmentKind, Words>> = {
  refund: { choice: 'Refund', done: 'Refunded', coming: 'Is refunded', event: 'payment.refunded', tone: 'none' },
  reversal: { choice: 'Reverse', done: 'Reversed', coming: 'Is reversed', event: 'payment.reversed', tone: 'none' },
  chargeback: {
    choice: 'Charge back',
    done: 'Charged back',
    coming: 'Is charged back',
    event: 'payment.charged-back',
    tone: 'bad',
  },
  'chargeback-reversed': {
    choice: 'Reverse the chargeback',
    done: 'Chargeback reversed',
    coming: 'Gets its chargeback reversed',
    event: 'payment.chargeback-reversed',
    tone: 'good',
  },
  'late-failure': {
    choice: 'Fail',
    done: 'Failed after all',
    coming: 'Fails after all',
    event: 'payment.failed',
    tone: 'bad',
  },
};

/** What a record will be, as something that is still to come. */
export const COMING: Readonly<Record<string, string>> = {
  Paid: 'Is paid',
  Failed: 'Fails',
  Cancelled: 'Is cancelled',
  Expired: 'Expires',
  ...Object.fromEntries(Object.entries(ADJUSTMENTS).map(([kind, { coming }]) => [kind, coming])),
};
