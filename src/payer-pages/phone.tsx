import { paymentById, settlePayment } from '../domain/payments/payment.ts';
import { toDecimalText } from '../money.ts';
import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { type Page, Problem, type Redirect, Token } from './page.tsx';
import { afterSettlement, settleOnce } from './payments.ts';

type Form = Readonly<Record<string, string>>;

/** Seconds after which a phone without scripts looks for new prompts. */
const REFRESH = 5;

/** A pretend handset: what waits for this number's PIN, newest first, and how the last ones ended. */
export async function showPhone(session: Session, mobile: string, problem?: string): Promise<Page> {
  const all = await session.transact((transaction) => transaction.find('payments', 'payerMobile', mobile));
  const newestFirst = all.toReversed();
  const waiting = newestFirst.filter(({ state }) => state === 'Processing');
  const over = newestFirst.filter(({ state }) => state !== 'Processing').slice(0, 5);
  return {
    title: `Phone ${mobile}`,
    refresh: REFRESH,
    content: (
      <div data-events={`${session.addresses.base}/pay/phone-events/${encodeURIComponent(mobile)}`}>
        <div class="card">
          <p class="merchant" data-testid="mobile">
            {mobile}
          </p>
          <h1>Mobile money</h1>
          <Problem text={problem} />
          {waiting.length === 0 ? (
            <p class="quiet" data-testid="no-prompts">
              Nothing waits for your PIN.
            </p>
          ) : (
            <ul class="prompts" data-testid="prompts">
              {waiting.map((payment) => (
                <Prompt payment={payment} session={session} mobile={mobile} />
              ))}
            </ul>
          )}
        </div>
        {over.length === 0 ? null : (
          <section class="card" aria-labelledby="messages">
            <h2 id="messages">Messages</h2>
            <ul class="prompts">
              {over.map((payment) => (
                <li data-testid={`message-${payment.id}`} data-state={payment.state}>
                  {toDecimalText(payment.amount)} {payment.currency}, {payment.payerReference}:{' '}
                  {session.fixtures.paymentStates[payment.state].word}
                  {payment.history.at(-1)?.description ? ` (${payment.history.at(-1)?.description})` : ''}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    ),
  };
}

function Prompt({ payment, session, mobile }: { payment: Payment; session: Session; mobile: string }) {
  const field = `pin-${payment.id}`;
  const left = session.fixtures.phone.tries - payment.failedTries;
  return (
    <li data-testid={`prompt-${payment.id}`}>
      <p class="amount">
        {toDecimalText(payment.amount)} {payment.currency}
      </p>
      <p class="quiet">
        {payment.description} · <code>{payment.payerReference}</code>
      </p>
      <form method="post" action={session.addresses.phone(mobile)}>
        <Token value={formToken(session, payment.id, 'pin')} />
        <input type="hidden" name="payment" value={payment.id} />
        <div class="field">
          <label for={field}>
            PIN (in the sandbox {session.fixtures.phone.pin}; {left} left)
          </label>
          <input
            id={field}
            name="pin"
            type="password"
            inputMode="numeric"
            autocomplete="off"
            maxLength={8}
            required
            data-testid={`pin-${payment.id}`}
          />
        </div>
        <button type="submit" name="action" value="confirm" data-testid={`confirm-${payment.id}`}>
          Confirm
        </button>
        <button
          type="submit"
          name="action"
          value="decline"
          class="second"
          formNoValidate
          data-testid={`decline-${payment.id}`}
        >
          Decline
        </button>
      </form>
    </li>
  );
}

/** Takes a PIN: the right one pays, a wrong one counts, too many of them end the payment. */
export async function takePin(session: Session, mobile: string, form: Form): Promise<Page | Redirect> {
  const id = form['payment'] ?? '';
  checkFormToken(session, id, 'pin', form['formToken']);
  const { pin, tries, wrongPin } = session.fixtures.phone;
  if (form['action'] === 'decline') {
    await settleOnce(session, id, { to: 'Cancelled', cause: 'payer' });
  } else if (form['pin'] === pin) {
    await settleOnce(session, id, { to: 'Paid', cause: 'payer' });
  } else {
    const left = await session.transact(async (transaction) => {
      const payment = await paymentById(transaction, id);
      const failedTries = payment.failedTries + 1;
      if (payment.state === 'Processing' && failedTries >= tries) {
        const { outcome, code, description } = wrongPin;
        await settlePayment(
          transaction,
          { ...payment, failedTries },
          { to: outcome, cause: 'payer', code, description },
        );
      } else if (payment.state === 'Processing') {
        transaction.put('payments', { ...payment, failedTries });
      }
      return tries - failedTries;
    });
    if (left > 0) {
      return showPhone(session, mobile, `Wrong PIN. You have ${left} left.`);
    }
  }
  return afterSettlement(session, id);
}

/** For a demo: whose phone is this? */
export async function showPhoneForm(session: Session, mobile: string | undefined): Promise<Page | Redirect> {
  const digits = mobile?.replace(/\D/g, '');
  if (digits) {
    return { location: session.addresses.phone(digits) };
  }
  return {
    title: 'Pretend phone',
    content: (
      <div class="card">
        <h1>Whose phone is this?</h1>
        <form method="get" action={`${session.addresses.base}/pay/phone`} data-testid="phone-form">
          <div class="field">
            <label for="mobile">Mobile number</label>
            <input id="mobile" name="mobile" type="tel" autocomplete="tel" required data-testid="mobile-number" />
          </div>
          <button type="submit" data-testid="continue">
            Continue
          </button>
        </form>
      </div>
    ),
  };
}
