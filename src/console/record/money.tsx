import { grouped } from '../../base/text/grouped.ts';

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="money">
      {grouped(amount)} <span class="currency">{currency}</span>
    </span>
  );
}
