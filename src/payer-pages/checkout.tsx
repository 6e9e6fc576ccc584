import type { ComponentChildren } from 'preact';
import { ownMember } from '../own-member.ts';
import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { readCard, type TestCard } from './cards.ts';
import { challengeAddress } from './challenge.tsx';
import { checkFormToken, formToken } from './form-token.ts';
import { follow } from './live.ts';
import { showOutcome } from './outcome.tsx';
import { type Form, type Page, Problem, type Redirect, Summary, Token } from './page.tsx';
import { pathsOf } from './paths.ts';
import { findOn, leadOn, settleOnce } from './payments.ts';

/** The card form of a payment on a redirect channel, or how the payment ended. */
export async function showCheckout(session: Session, paymentId: string, problem?: string): Promise<Page> {
  const found = await findOn(session, 'redirect', paymentId);
  if ('content' in found) {
    return found;
  }
  const { payment, merchant, link } = found;
  if (payment.state !== 'Processing') {
    return showOutcome(session, found, payment.state);
  }
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: 'Pay by card',
    links: link ? [link] : [],
    live: follow(session, 'payment', payment.id, [payment, link]),
    content: (
      <>
        <div class="card">
          <Summary payment={payment} merchant={merchant} session={session} />
          <Problem text={problem} />
          <CheckoutForm payment={payment} session={session} testId="card-form">
            <CardFields />
            <button type="submit" name="action" value="pay" data-testid="pay">
              Pay
            </button>
            <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
              Cancel
            </button>
          </CheckoutForm>
        </div>
        <TestCards payment={payment} session={session} />
      </>
    ),
  };
}

/** Takes the card form: settles, or leads to the challenge. */
export async function takeCheckout(session: Session, form: Form): Promise<Page | Redirect> {
  const found = await findOn(session, 'redirect', form['paymentCode'] ?? '');
  if ('content' in found) {
    return found;
  }
  const { payment } = found;
  checkFormToken(session, payment.id, 'checkout', form['formToken']);
  if (form['action'] === 'cancel') {
    return leadOn(session, await settleOnce(session, payment.id, { to: 'Cancelled' }));
  }
  const card = cardOf(session, payment, form);
  if ('problem' in card) {
    return showCheckout(session, payment.paymentId ?? '', card.problem);
  }
  if (card.challenge !== null) {
    return { location: challengeAddress(session, payment, card.id) };
  }
  const { outcome: to, code, description } = card;
  return leadOn(session, await settleOnce(session, payment.id, { to, code, description }));
}

/** A form whose address is the page's own, so that a page that follows a refused form can be asked for again. */
function CheckoutForm({
  payment,
  session,
  testId,
  children,
}: {
  payment: Payment;
  session: Session;
  testId: string;
  children: ComponentChildren;
}) {
  const paymentId = payment.paymentId ?? '';
  return (
    <form method="post" action={pathsOf(session).checkout(paymentId)} data-testid={testId}>
      <Token value={formToken(session, payment.id, 'checkout')} />
      <input type="hidden" name="paymentCode" value={paymentId} />
      {children}
    </form>
  );
}

function CardFields() {
  return (
    <>
      <div class="field">
        <label for="cardName">Name on card</label>
        <input id="cardName" name="cardName" autocomplete="cc-name" required data-testid="card-name" />
      </div>
      <div class="field">
        <label for="cardNumber">Card number</label>
        <input
          id="cardNumber"
          name="cardNumber"
          autocomplete="cc-number"
          inputMode="numeric"
          maxLength={23}
          required
          data-testid="card-number"
        />
      </div>
      <div class="pair">
        <div class="field">
          <label for="cardExpiry">Expiry (MM/YY)</label>
          <input
            id="cardExpiry"
            name="cardExpiry"
            autocomplete="cc-exp"
            maxLength={7}
            required
            data-testid="card-expiry"
          />
        </div>
        <div class="field">
          <label for="cardCode">Security code</label>
          <input
            id="cardCode"
            name="cardCode"
            autocomplete="cc-csc"
            inputMode="numeric"
            maxLength={4}
            required
            data-testid="card-code"
          />
        </div>
      </div>
    </>
  );
}

function TestCards({ payment, session }: { payment: Payment; session: Session }) {
  const { cards, expiry, securityCode } = session.fixtures.testCards;
  const example = cards.find(({ outcome, challenge }) => outcome === 'Paid' && challenge === null);
  const number = example && ownMember(example.numbers, payment.channel);
  return (
    <section class="card" aria-labelledby="test-cards">
      <h2 id="test-cards">Test cards</h2>
      <p class="quiet">One click uses a card, with nothing to type.</p>
      <CheckoutForm payment={payment} session={session} testId="test-cards">
        <div class="test-cards">
          {cards.map(({ id, label }) => (
            <button type="submit" name="testCard" value={id} data-testid={`test-card-${id}`}>
              {label}
            </button>
          ))}
        </div>
      </CheckoutForm>
      <p class="quiet">
        All test cards expire in {expiry} and have the security code {securityCode}.
        {number === undefined ? null : ` The card ${number.replace(/(\d{4})(?=\d)/g, '$1 ')} is approved.`}
      </p>
    </section>
  );
}

function cardOf(session: Session, { channel }: Payment, form: Form): TestCard | { problem: string } {
  const { cards } = session.fixtures.testCards;
  const offered = cards.find(({ id }) => id === form['testCard']);
  return (
    offered ??
    readCard(session.fixtures, channel, {
      number: form['cardNumber'] ?? '',
      expiry: form['cardExpiry'] ?? '',
      securityCode: form['cardCode'] ?? '',
    })
  );
}
