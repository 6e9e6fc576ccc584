import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { readCard, type TestCard } from './cards.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { type Page, Problem, type Redirect, Result, Summary, Token } from './page.tsx';
import { afterSettlement, findBy, settleOnce } from './payments.ts';

type Form = Readonly<Record<string, string>>;

/** The card form of a payment on a redirect channel, or how the payment ended. */
export async function showCheckout(session: Session, paymentId: string, problem?: string): Promise<Page> {
  const { payment, merchant } = await findBy(session, 'paymentId', paymentId);
  if (payment.state !== 'Processing') {
    return { title: 'Payment', content: <Result payment={payment} merchant={merchant} session={session} /> };
  }
  const { cards, expiry, securityCode } = session.fixtures.testCards;
  const action = `${session.addresses.base}/pay/checkout`;
  const token = formToken(session, payment.id, 'checkout');
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: 'Pay by card',
    content: (
      <>
        <div class="card">
          <Summary payment={payment} merchant={merchant} session={session} />
          <Problem text={problem} />
          <form method="post" action={action} data-testid="card-form">
            <Token value={token} />
            <input type="hidden" name="paymentCode" value={paymentId} />
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
            <button type="submit" name="action" value="pay" data-testid="pay">
              Pay
            </button>
            <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
              Cancel
            </button>
          </form>
        </div>
        <section class="card" aria-labelledby="test-cards">
          <h2 id="test-cards">Test cards</h2>
          <form method="post" action={action} class="test-cards">
            <Token value={token} />
            <input type="hidden" name="paymentCode" value={paymentId} />
            {cards.map(({ id, label }) => (
              <button type="submit" name="testCard" value={id} data-testid={`test-card-${id}`}>
                {label}
              </button>
            ))}
          </form>
          <p class="quiet">
            All expire in {expiry} and have the security code {securityCode}. By number:{' '}
            {cards[0]?.numbers[payment.channel] ?? ''} is approved.
          </p>
        </section>
      </>
    ),
  };
}

/** Takes the card form: settles, or leads to the challenge. */
export async function takeCheckout(session: Session, form: Form): Promise<Page | Redirect> {
  const { payment } = await findBy(session, 'paymentId', form['paymentCode'] ?? '');
  checkFormToken(session, payment.id, 'checkout', form['formToken']);
  if (form['action'] === 'cancel') {
    await settleOnce(session, payment.id, { to: 'Cancelled', cause: 'payer' });
    return afterSettlement(session, payment.id);
  }
  const card = cardOf(session, payment, form);
  if ('problem' in card) {
    return showCheckout(session, payment.paymentId ?? '', card.problem);
  }
  if (card.challenge !== null) {
    return { location: challengeAddress(session, payment, card.id) };
  }
  await settleOnce(session, payment.id, {
    to: card.outcome,
    cause: 'payer',
    code: card.code,
    description: card.description,
  });
  return afterSettlement(session, payment.id);
}

/** The bank's own page between card and payment: a one-time code. */
export async function showChallenge(session: Session, form: Form, problem?: string): Promise<Page> {
  const { paymentCode: paymentId = '', card: cardId = '', step = '' } = form;
  const { payment, merchant } = await findBy(session, 'paymentId', paymentId);
  checkFormToken(session, payment.id, `challenge ${cardId}`, step);
  if (payment.state !== 'Processing') {
    return { title: 'Payment', content: <Result payment={payment} merchant={merchant} session={session} /> };
  }
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: '3-D Secure',
    content: (
      <div class="card">
        <Summary payment={payment} merchant={merchant} session={session} />
        <p class="quiet">
          Your bank asks for the code that it has just sent you. In the sandbox it is always{' '}
          <code data-testid="challenge-code">{session.fixtures.testCards.challengeCode}</code>.
        </p>
        <Problem text={problem} />
        <form method="post" action={`${session.addresses.base}/pay/checkout/challenge`} data-testid="challenge-form">
          <Token value={step} />
          <input type="hidden" name="paymentCode" value={paymentId} />
          <input type="hidden" name="card" value={cardId} />
          <div class="field">
            <label for="oneTimeCode">One-time code</label>
            <input
              id="oneTimeCode"
              name="oneTimeCode"
              autocomplete="one-time-code"
              inputMode="numeric"
              maxLength={10}
              required
              data-testid="one-time-code"
            />
          </div>
          <button type="submit" name="action" value="confirm" data-testid="confirm">
            Confirm
          </button>
          <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
            Cancel
          </button>
        </form>
      </div>
    ),
  };
}

export async function takeChallenge(session: Session, form: Form): Promise<Page | Redirect> {
  const { paymentCode = '', card: cardId = '', formToken: step = '', oneTimeCode = '' } = form;
  const { payment } = await findBy(session, 'paymentId', paymentCode);
  checkFormToken(session, payment.id, `challenge ${cardId}`, step);
  const { cards, challengeCode } = session.fixtures.testCards;
  const card = cards.find(({ id }) => id === cardId);
  if (form['action'] === 'cancel' || !card) {
    await settleOnce(session, payment.id, { to: 'Cancelled', cause: 'payer' });
    return afterSettlement(session, payment.id);
  }
  if (oneTimeCode.trim() !== challengeCode) {
    return showChallenge(session, { paymentCode, card: cardId, step }, 'This is not the code. Look at it once more.');
  }
  await settleOnce(session, payment.id, {
    to: card.outcome,
    cause: 'payer',
    code: card.code,
    description: card.description,
  });
  return afterSettlement(session, payment.id);
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

function challengeAddress(session: Session, payment: Payment, cardId: string): string {
  const query = new URLSearchParams({
    paymentCode: payment.paymentId ?? '',
    card: cardId,
    step: formToken(session, payment.id, `challenge ${cardId}`),
  });
  return `${session.addresses.base}/pay/checkout/challenge?${query}`;
}
