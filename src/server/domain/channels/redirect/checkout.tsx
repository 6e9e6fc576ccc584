import type { ComponentChildren } from 'preact';
import { ownMember } from '../../../../base/members.ts';
import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { Session } from '../../../sessions/session.ts';
import { checkFormToken, formToken } from '../../pages/form-token.ts';
import { liveStreamOf } from '../../pages/live-stream.ts';
import { showOutcome } from '../../pages/outcome.tsx';
import { type DecisionResult, decideOnce } from '../../pages/page-payment.ts';
import { pathsOf } from '../../pages/paths.ts';
import { Field, type PageForm, type PayerPage, Problem, type Redirect, Token } from '../../pages/payer-page.tsx';
import { Money, Summary } from '../../pages/payment-summary.tsx';
import { Icon } from '../../pages/picture.tsx';
import { WORDS } from '../../pages/words.ts';
import { costToPayer } from '../../payments/fees.ts';
import type { PaymentVisit } from '../flow.ts';
import { type CardProblem, maskedNumber, readCard, type TestCard } from './cards.ts';
import { challengeAddress } from './challenge.tsx';
import { checkoutPath } from './paths.ts';

interface RefusedForm extends CardProblem {
  form: PageForm;
}

/** The card form of a payment on a redirect channel; after the decision, the outcome. */
export function showCheckout(visit: PaymentVisit, refused?: RefusedForm): PayerPage {
  const { session, payment, merchant, link } = visit;
  if (payment.state !== 'Processing') {
    return showOutcome(session, visit, payment.state);
  }
  return {
    ...(refused === undefined ? {} : { status: 422 }),
    title: WORDS.payByCard,
    look: 'sides',
    links: link ? [link] : [],
    live: liveStreamOf(session, 'payment', payment.id, [payment, link]),
    content: (
      <>
        <Summary payment={payment} merchant={merchant} session={session} />
        <TestCards payment={payment} session={session} />
        <div class="pay">
          <Problem text={refused?.problem} />
          <CheckoutForm payment={payment} session={session} testId="card-form" isFilled={refused !== undefined}>
            <CardFields refused={refused} />
            <button type="submit" name="action" value="pay" data-testid="pay">
              <Icon name="lock" />
              <span>
                {WORDS.pay} <Money amount={costToPayer(payment)} currency={payment.currency} />
              </span>
            </button>
            <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
              {WORDS.cancel}
            </button>
          </CheckoutForm>
        </div>
      </>
    ),
  };
}

/** Decides a payment by its card form, redirects to the challenge, or shows the form again with its problem. */
export async function submitCheckout(visit: PaymentVisit): Promise<PayerPage | Redirect | DecisionResult> {
  const { session, payment, form } = visit;
  checkFormToken(session, payment.id, 'checkout', form['formToken']);
  if (form['action'] === 'cancel') {
    return decideOnce(session, payment.id, { to: 'Cancelled' });
  }
  const card = cardOf(session, payment, form);
  if ('problem' in card) {
    return showCheckout(visit, { ...card, form });
  }
  if (card.challenge !== null) {
    return { location: challengeAddress(session, payment, card.id) };
  }
  const { id: testCard, outcome: to, code, description } = card;
  return decideOnce(session, payment.id, { to, code, description, testCard });
}

/** A form that is sent to its own page's address, so that the page after a refused form can be reloaded. */
function CheckoutForm({
  payment,
  session,
  testId,
  isFilled = false,
  children,
}: {
  payment: Payment;
  session: Session;
  testId: string;
  isFilled?: boolean;
  children: ComponentChildren;
}) {
  const paymentId = payment.paymentId ?? '';
  return (
    <form
      method="post"
      action={pathsOf(session).to(checkoutPath(paymentId))}
      data-testid={testId}
      data-filled={isFilled ? '' : undefined}
    >
      <Token value={formToken(session, payment.id, 'checkout')} />
      <input type="hidden" name="paymentCode" value={paymentId} />
      {children}
    </form>
  );
}

/** The fields on a card's face. A refused form keeps its input, except the security code. */
function CardFields({ refused }: { refused: RefusedForm | undefined }) {
  const enteredValue = (name: string) => refused?.form[name];
  const problemOf = (field: CardProblem['field']) => (refused?.field === field ? refused.problem : undefined);
  return (
    <div class="payment-card">
      <span class="chip" aria-hidden="true" />
      <Field
        id="cardName"
        label={WORDS.cardName}
        value={enteredValue('cardName')}
        autocomplete="cc-name"
        data-testid="card-name"
      />
      <Field
        id="cardNumber"
        label={WORDS.cardNumber}
        problem={problemOf('number')}
        value={enteredValue('cardNumber')}
        autocomplete="cc-number"
        inputMode="numeric"
        maxLength={23}
        data-testid="card-number"
      />
      <div class="pair">
        <Field
          id="cardExpiry"
          label={WORDS.cardExpiry}
          problem={problemOf('expiry')}
          value={enteredValue('cardExpiry')}
          autocomplete="cc-exp"
          maxLength={7}
          data-testid="card-expiry"
        />
        <Field
          id="cardCode"
          label={WORDS.securityCode}
          problem={problemOf('securityCode')}
          autocomplete="cc-csc"
          inputMode="numeric"
          maxLength={4}
          data-testid="card-code"
        />
      </div>
    </div>
  );
}

const OUTCOME_ICONS = { Paid: 'check', Failed: 'cross', Cancelled: 'back', Expired: 'clock' } as const;

function TestCards({ payment, session }: { payment: Payment; session: Session }) {
  const { cards, expiry, securityCode } = session.fixtures.testCards;
  const example = cards.find(({ outcome, challenge }) => outcome === 'Paid' && challenge === null);
  const number = example && ownMember(example.numbers, payment.channel);
  return (
    <section class="card test-cards" aria-labelledby="test-cards">
      <h2 id="test-cards">{WORDS.testCards}</h2>
      <p class="quiet">{WORDS.testCardsHint}</p>
      <CheckoutForm payment={payment} session={session} testId="test-cards">
        <div class="tiles">
          {cards.map((card) => (
            <button type="submit" name="testCard" value={card.id} class="tile" data-testid={`test-card-${card.id}`}>
              <Icon name={OUTCOME_ICONS[card.outcome]} />
              <span>{card.label}</span>
              <span class="number">{maskedNumber(card, payment.channel)}</span>
            </button>
          ))}
        </div>
      </CheckoutForm>
      <p class="quiet">
        {WORDS.allTestCards(expiry, securityCode)}
        {number === undefined ? null : WORDS.approvedCard(number.replace(/(\d{4})(?=\d)/g, '$1 '))}
      </p>
    </section>
  );
}

function cardOf(session: Session, { channel }: Payment, form: PageForm): TestCard | CardProblem {
  const { cards } = session.fixtures.testCards;
  const testCard = cards.find(({ id }) => id === form['testCard']);
  return (
    testCard ??
    readCard(session.fixtures, channel, {
      number: form['cardNumber'] ?? '',
      expiry: form['cardExpiry'] ?? '',
      securityCode: form['cardCode'] ?? '',
    })
  );
}
