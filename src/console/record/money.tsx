import type { SubjectView } from '../../base/schema/generated/control.ts';
import { groupDigits } from '../../base/text/group-digits.ts';

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="money">
      {groupDigits(amount)} <span class="currency">{currency}</span>
    </span>
  );
}

/** The amount of the record that an event or a delivery is about, if it has one. */
export function SubjectAmount({ subject }: { subject: SubjectView | undefined }) {
  const { amount = null, currency = null } = subject ?? {};
  return amount === null || currency === null ? null : <Money amount={amount} currency={currency} />;
}
