import { toDecimalText } from '../../../base/money.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { formatLocal, formatUtc } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import { costToPayer } from '../payments/fees.ts';
import type { PagePayment } from './page-payment.ts';
import { type PayerPage, ReturnLink } from './payer-page.tsx';
import { descriptionOf, Money } from './payment-summary.tsx';
import { OutcomePicture, type OutcomeTone } from './picture.tsx';
import { isPaidByOther, returnAddress } from './return-address.ts';
import { WORDS } from './words.ts';

type Outcome = keyof typeof WORDS.outcomes;

const TONES: Readonly<Record<Outcome, OutcomeTone>> = {
  Paid: 'good',
  Failed: 'bad',
  Cancelled: 'none',
  Expired: 'late',
  Refunded: 'none',
  Reversed: 'none',
  ChargedBack: 'none',
};

export function showOutcome(session: Session, { payment, merchant, link }: PagePayment, state: Outcome): PayerPage {
  const isLinkPaid = isPaidByOther(link, payment);
  const words = isLinkPaid ? WORDS.linkPaid : WORDS.outcomes[state];
  const tone = isLinkPaid ? 'good' : TONES[state];
  const address = returnAddress(session, link, payment);
  return {
    title: WORDS.payment,
    links: link ? [link] : [],
    content: (
      <div class="card ended">
        <OutcomePicture tone={tone} />
        <p class={`outcome ${tone}`} role="status" tabIndex={-1} data-testid="outcome" data-state={state}>
          {words}
        </p>
        {state === 'Failed' && !isLinkPaid ? <FailureReason session={session} payment={payment} /> : null}
        {isLinkPaid ? (
          <p class="quiet" data-testid="paid-otherwise">
            {WORDS.linkPaidWhy}
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
          {WORDS.reference} <code data-testid="reference">{payment.payerReference}</code>
        </p>
        {payment.adjustments?.map(({ kind, amount, at }) => (
          <p class="quiet" data-testid="adjustment">
            {WORDS.adjusted(
              `${groupDigits(toDecimalText(amount))} ${payment.currency}`,
              WORDS.adjustments[kind],
              localTime(at, session.fixtures.times.localOffset, 16),
            )}
          </p>
        ))}
        {address === undefined ? (
          <p class="quiet close-tab" data-testid="close-tab">
            {WORDS.closeTab}
          </p>
        ) : (
          <ReturnLink address={address} />
        )}
        <Details session={session} payment={payment} />
      </div>
    ),
  };
}

/** The reason for a failed payment, in words for the payer: those of the test card with the same code, or else the description. */
function FailureReason({ session, payment: { history } }: { session: Session; payment: Payment }) {
  const { code = null, description = null } = history.at(-1) ?? {};
  const card = session.fixtures.testCards.cards.find((each) => each.code === code && each.payerReason !== undefined);
  const words = card?.payerReason ?? (description === null ? undefined : `${description}.`);
  return words === undefined ? null : (
    <p class="quiet" data-testid="why">
      {words}
    </p>
  );
}

/** A time in the merchant's time zone, cut to `length` characters, with the zone. */
function localTime(at: number, offset: string, length: number): string {
  return `${formatLocal(at, offset).slice(0, length)} (UTC${offset})`;
}

/** A time in the merchant's time zone and, as in the control API, in UTC. */
function localAndUtc(at: number, offset: string): string {
  const local = localTime(at, offset, 19);
  return offset === '+00:00' ? local : `${local}, ${formatUtc(at).slice(11, 19)} UTC`;
}

function Details({ session, payment }: { session: Session; payment: Payment }) {
  const lastStep = payment.history.at(-1);
  return (
    <details class="details">
      <summary>{WORDS.details}</summary>
      <dl class="facts">
        {lastStep?.description ? (
          <>
            <dt>{WORDS.reason}</dt>
            <dd data-testid="reason">
              {lastStep.code === null ? lastStep.description : WORDS.withCode(lastStep.description, lastStep.code)}
            </dd>
          </>
        ) : null}
        <dt>{WORDS.payment}</dt>
        <dd>
          <code>{payment.id}</code>
        </dd>
        {lastStep ? (
          <>
            <dt>{payment.adjustments ? WORDS.lastChanged : WORDS.decided}</dt>
            <dd data-testid="decided">{localAndUtc(lastStep.at, session.fixtures.times.localOffset)}</dd>
          </>
        ) : null}
      </dl>
    </details>
  );
}
