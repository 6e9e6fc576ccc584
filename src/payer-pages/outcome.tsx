import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { type Page, ReturnLink, Summary } from './page.tsx';
import type { Found } from './payments.ts';
import { isPaidOtherwise, wayBack } from './way-back.ts';

const OUTCOMES = {
  Paid: ['Paid. Thank you.', 'good'],
  Failed: ['The payment failed.', 'bad'],
  Cancelled: ['The payment was cancelled.', 'bad'],
  Expired: ['The payment has expired.', 'bad'],
} as const;

/** How a payment ended, whoever settled it, and where its payer goes from here. */
export function showOutcome(session: Session, { payment, merchant, link }: Found, state: keyof typeof OUTCOMES): Page {
  const isLinkPaid = isPaidOtherwise(link, payment);
  const [words, tone] = isLinkPaid ? ['This link was paid already.', 'good'] : OUTCOMES[state];
  const address = wayBack(session, link, payment);
  return {
    title: 'Payment',
    links: link ? [link] : [],
    content: (
      <div class="card">
        <Summary payment={payment} merchant={merchant} session={session} />
        <p class={`outcome ${tone}`} role="status" tabIndex={-1} data-testid="outcome" data-state={state}>
          {words}
        </p>
        {isLinkPaid ? (
          <p class="quiet" data-testid="paid-otherwise">
            It can be paid only once, so this payment was not taken.
          </p>
        ) : (
          <Reason payment={payment} />
        )}
        <p class="quiet">
          Reference <code data-testid="reference">{payment.payerReference}</code>
        </p>
        {address === undefined ? (
          <p class="quiet" data-testid="close-tab">
            You can close this tab now.
          </p>
        ) : (
          <ReturnLink address={address} />
        )}
      </div>
    ),
  };
}

function Reason({ payment }: { payment: Payment }) {
  const last = payment.history.at(-1);
  return last?.description ? (
    <p class="quiet" data-testid="reason">
      {last.description}
      {last.code === null ? null : ` (code ${last.code})`}
    </p>
  ) : null;
}
