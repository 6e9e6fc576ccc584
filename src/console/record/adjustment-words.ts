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
  refund: { choice: 'Refund', done: 'Refunded', coming: 'Will be refunded', event: 'payment.refunded', tone: 'none' },
  reversal: {
    choice: 'Reverse',
    done: 'Reversed',
    coming: 'Will be reversed',
    event: 'payment.reversed',
    tone: 'none',
  },
  chargeback: {
    choice: 'Charge back',
    done: 'Charged back',
    coming: 'Will be charged back',
    event: 'payment.charged-back',
    tone: 'bad',
  },
  'chargeback-reversed': {
    choice: 'Reverse the chargeback',
    done: 'Chargeback reversed',
    coming: 'Will have its chargeback reversed',
    event: 'payment.chargeback-reversed',
    tone: 'good',
  },
  'late-failure': {
    choice: 'Fail',
    done: 'Failed after all',
    coming: 'Will fail after all',
    event: 'payment.failed',
    tone: 'bad',
  },
};

/** What a record will be, as something that is still to come. */
export const COMING: Readonly<Record<string, string>> = {
  Paid: 'Will be paid',
  Failed: 'Will fail',
  Cancelled: 'Will be cancelled',
  Expired: 'Will expire',
  ...Object.fromEntries(Object.entries(ADJUSTMENTS).map(([kind, { coming }]) => [kind, coming])),
};
