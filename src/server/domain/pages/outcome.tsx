import { toDecimalText } from '../../../base/money.ts';
import type { Payment } from '../../../base/schema/records.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { formatProcessed, formatUtc } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import { costToPayer } from '../payments/fees.ts';
import type { PagePayment } from './page-payment.ts';
import { type PayerPage, ReturnLink } from './payer-page.tsx';
import { descriptionOf, Money } from './payment-summary.tsx';
import { OutcomePicture } from './picture.tsx';
import { isPaidOtherwise, wayBack } from './way-back.ts';

const OUTCOMES = {
  Paid: ['Paid. Thank you.', 'good'],
  Failed: ['The payment failed.', 'bad'],
  Cancelled: ['The payment was cancelled.', 'none'],
  Expired: ['The payment has expired.', 'late'],
  Refunded: ['Paid, and refunded since.', 'none'],
  Reversed: ['Paid, and reversed since.', 'none'],
  ChargedBack: ['Paid, and charged back since.', 'none'],
} as const;

const ADJUSTMENTS = {
  refund: 'refunded',
  reversal: 'reversed',
  chargeback: 'charged back',
  'chargeback-reversed': 'taken again, as the chargeback was reversed,',
  'late-failure': 'given back, as the payment failed after all,',
} as const;

/** Shows the outcome of a payment, and where its payer goes from here. */
export function showOutcome(
  session: Session,
  { payment, merchant, link }: PagePayment,
  state: keyof typeof OUTCOMES,
): PayerPage {
  const isLinkPaid = isPaidOtherwise(link, payment);
  const [words, tone] = isLinkPaid ? (['This link has already been paid.', 'good'] as const) : OUTCOMES[state];
  const address = wayBack(session, link, payment);
  return {
    title: 'Payment',
    links: link ? [link] : [],
    content: (
      <div class="card ended">
        <OutcomePicture tone={tone} />
        <p class={`outcome ${tone}`} role="status" tabIndex={-1} data-testid="outcome" data-state={state}>
          {words}
        </p>
        {state === 'Failed' && !isLinkPaid ? <Why session={session} payment={payment} /> : null}
        {isLinkPaid ? (
          <p class="quiet" data-testid="paid-otherwise">
            It can be paid only once, so this payment was not taken.
          </p>
        ) : null}
        <p class="amount" data-testid="amount">
          <Money amount={costToPayer(payment)} currency={payment.currency} />
        </p>
        <h1 data-testid="description">{descriptionOf(payment)}</h1>
        <p class="quiet" data-testid="merchant">
          {merchant}
        </p>
        <p class="quiet">
          Reference <code data-testid="reference">{payment.payerReference}</code>
        </p>
        {payment.adjustments?.map(({ kind, amount, at }) => (
          <p class="quiet" data-testid="adjustment">
            {groupDigits(toDecimalText(amount))} {payment.currency} {ADJUSTMENTS[kind]} on{' '}
            {localTime(at, session.fixtures.times.localOffset, 16)}
          </p>
        ))}
        {address === undefined ? (
          <p class="quiet close-tab" data-testid="close-tab">
            You can close this tab now.
          </p>
        ) : (
          <ReturnLink address={address} />
        )}
        <Details session={session} payment={payment} />
      </div>
    ),
  };
}

/** Why it failed, in the payer's words where a test card has some; the code is for the developer. */
function Why({ session, payment: { history } }: { session: Session; payment: Payment }) {
  const { code = null, description = null } = history.at(-1) ?? {};
  const card = session.fixtures.testCards.cards.find((each) => each.code === code && each.payerReason !== undefined);
  const words = card?.payerReason ?? (description === null ? undefined : `${description}.`);
  return words === undefined ? null : (
    <p class="quiet" data-testid="why">
      {words}
    </p>
  );
}

/** A time on the payer's clock, cut to `length` characters, with the zone. */
function localTime(at: number, offset: string, length: number): string {
  return `${formatProcessed(at, offset).slice(0, length)} (UTC${offset})`;
}

/** A moment as the payer's clock shows it, and as the control API does. */
function inBothZones(at: number, offset: string): string {
  const local = localTime(at, offset, 19);
  return offset === '+00:00' ? local : `${local}, ${formatUtc(at).slice(11, 19)} UTC`;
}

/** Details for the developer: the reason, and the values that an integration receives. */
function Details({ session, payment }: { session: Session; payment: Payment }) {
  const last = payment.history.at(-1);
  return (
    <details class="details">
      <summary>Details for the developer</summary>
      <dl class="facts">
        {last?.description ? (
          <>
            <dt>Reason</dt>
            <dd data-testid="reason">
              {last.description}
              {last.code === null ? null : ` (code ${last.code})`}
            </dd>
          </>
        ) : null}
        <dt>Payment</dt>
        <dd>
          <code>{payment.id}</code>
        </dd>
        {last ? (
          <>
            <dt>{payment.adjustments ? 'Last changed' : 'Settled'}</dt>
            <dd data-testid="settled">{inBothZones(last.at, session.fixtures.times.localOffset)}</dd>
          </>
        ) : null}
      </dl>
    </details>
  );
}
