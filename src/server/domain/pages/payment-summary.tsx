import type { ComponentChildren } from 'preact';
import { type MinorUnits, toDecimalText } from '../../../base/money.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import type { Session } from '../../sessions/session.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';
import { costToPayer } from '../payments/fees.ts';
import { Icon } from './picture.tsx';
import { WORDS } from './words.ts';

/** CSS classes of amounts by minimum text length: long amounts are smaller, to fit on one line of a phone. */
const SIZES = [
  [16, 'longest'],
  [11, 'long'],
] as const;

/** An amount with grouped digits, with or without its currency: 1,249.90 USD. */
export function Money({ amount, currency }: { amount: MinorUnits; currency?: string | undefined }) {
  const text = groupDigits(toDecimalText(amount));
  const [, size = ''] = SIZES.find(([characters]) => text.length >= characters) ?? [];
  return (
    <span class={`money ${size}`}>
      {text}
      {currency === undefined ? null : (
        <>
          {' '}
          <span class="currency">{currency}</span>
        </>
      )}
    </span>
  );
}

export function Merchant({ name }: { name: string }) {
  return (
    <p class="merchant">
      <span class="letter" aria-hidden="true">
        {[...name.trim()][0]?.toUpperCase()}
      </span>
      <span data-testid="merchant">{name}</span>
    </p>
  );
}

export function descriptionOf({ description }: Payment): string {
  return description === '' ? WORDS.payment : description;
}

export function Summary({
  payment,
  merchant,
  session,
  children,
}: {
  payment: Payment;
  merchant: string;
  session: Session;
  children?: ComponentChildren;
}) {
  return (
    <header class="summary">
      <Merchant name={merchant} />
      <h1 data-testid="description">{descriptionOf(payment)}</h1>
      <p class="amount" data-testid="amount">
        <Money amount={costToPayer(payment)} currency={payment.currency} />
      </p>
      {payment.feesBorneBy === 'payer' ? (
        <p class="hint" data-testid="fees">
          {WORDS.withFeesOf} <Money amount={sumOfFees(payment.fees)} currency={payment.currency} />
        </p>
      ) : null}
      {children}
      <Countdown payment={payment} session={session} />
    </header>
  );
}

export function Countdown({ payment: { expiresAt }, session }: { payment: Payment; session: Session }) {
  if (expiresAt === null) {
    return null;
  }
  const seconds = Math.max(0, Math.ceil((expiresAt - session.clock.now()) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p class="countdown">
      <Icon name="clock" />
      <span>
        {WORDS.expiresIn}{' '}
        <span
          class="time"
          data-testid="countdown"
          data-remaining={seconds}
          data-running={String(session.clock.state.mode === 'real')}
        >
          {text}
        </span>
      </span>
    </p>
  );
}
