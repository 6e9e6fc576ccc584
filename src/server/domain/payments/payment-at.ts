import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';

/** The payment as it was at an instant, or in its first state if it was initiated later. */
export function paymentAt(payment: Payment, instant: Instant): Payment {
  const history = payment.history.filter(({ at }, index) => index === 0 || at <= instant);
  const last = history.at(-1);
  if (!last || history.length === payment.history.length) {
    return payment;
  }
  const adjustments = payment.adjustments?.filter(({ at }) => at <= instant);
  return { ...payment, state: last.to, history, ...(adjustments ? { adjustments } : {}) };
}
