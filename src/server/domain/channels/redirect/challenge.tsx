import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { Session } from '../../../sessions/session.ts';
import { CodeField } from '../../pages/code-field.tsx';
import { checkFormToken, formToken } from '../../pages/form-token.ts';
import { liveStreamOf } from '../../pages/live-stream.ts';
import { showOutcome } from '../../pages/outcome.tsx';
import { type DecisionResult, decideOnce } from '../../pages/page-payment.ts';
import { pathsOf } from '../../pages/paths.ts';
import { type PayerPage, Problem, Token } from '../../pages/payer-page.tsx';
import { Countdown, descriptionOf, Money } from '../../pages/payment-summary.tsx';
import { BankMark } from '../../pages/picture.tsx';
import { WORDS } from '../../pages/words.ts';
import { costToPayer } from '../../payments/fees.ts';
import type { PaymentVisit } from '../flow.ts';
import { maskedNumber } from './cards.ts';
import { challengePath } from './paths.ts';

/** The address of the 3-D Secure page for a card. */
export function challengeAddress(session: Session, payment: Payment, cardId: string): string {
  const query = new URLSearchParams({
    paymentCode: payment.paymentId ?? '',
    card: cardId,
    step: formToken(session, payment.id, `challenge ${cardId}`),
  });
  return pathsOf(session).to(challengePath(query));
}

export function openChallenge(visit: PaymentVisit): PayerPage {
  return showChallenge(visit, visit.form['step'] ?? '');
}

/** The page of the payer's bank, which asks for a one-time code before the payment. */
function showChallenge(visit: PaymentVisit, token: string, problem?: string): PayerPage {
  const { session, payment, merchant, link, form } = visit;
  const { paymentCode: paymentId = '', card: cardId = '' } = form;
  checkFormToken(session, payment.id, `challenge ${cardId}`, token);
  if (payment.state !== 'Processing') {
    return showOutcome(session, visit, payment.state);
  }
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: WORDS.secure,
    look: 'bank',
    links: link ? [link] : [],
    live: liveStreamOf(session, 'payment', payment.id, [payment, link]),
    content: (
      <div class="card">
        <header class="bank-name">
          <BankMark />
          <p>
            {WORDS.bank} <span class="quiet">{WORDS.secure}</span>
          </p>
        </header>
        <h1>{WORDS.confirmIdentity}</h1>
        <Facts session={session} payment={payment} merchant={merchant} cardId={cardId} />
        <p class="quiet">{WORDS.codeSent}</p>
        <Problem text={problem} />
        <form method="post" action={challengeAddress(session, payment, cardId)} data-testid="challenge-form">
          <Token value={token} />
          <input type="hidden" name="paymentCode" value={paymentId} />
          <input type="hidden" name="card" value={cardId} />
          <CodeField isWrong={problem !== undefined} maxLength={10}>
            {WORDS.codeIsAlways} <code data-testid="challenge-code">{session.fixtures.testCards.challengeCode}</code>.
          </CodeField>
          <button type="submit" name="action" value="confirm" data-testid="confirm">
            {WORDS.confirm}
          </button>
          <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
            {WORDS.cancel}
          </button>
        </form>
        <Countdown payment={payment} session={session} />
      </div>
    ),
  };
}

interface FactsProps {
  session: Session;
  payment: Payment;
  merchant: string;
  cardId: string;
}

function Facts({ session, payment, merchant, cardId }: FactsProps) {
  const card = session.fixtures.testCards.cards.find(({ id }) => id === cardId);
  const number = card && maskedNumber(card, payment.channel);
  return (
    <dl class="facts">
      <dt>{WORDS.merchant}</dt>
      <dd data-testid="merchant">{merchant}</dd>
      <dt>{WORDS.paymentFor}</dt>
      <dd data-testid="description">{descriptionOf(payment)}</dd>
      <dt>{WORDS.amount}</dt>
      <dd class="strong" data-testid="amount">
        <Money amount={costToPayer(payment)} currency={payment.currency} />
      </dd>
      {number === undefined ? null : (
        <>
          <dt>{WORDS.card}</dt>
          <dd data-testid="masked-card">{number}</dd>
        </>
      )}
    </dl>
  );
}

export async function submitChallenge(visit: PaymentVisit): Promise<PayerPage | DecisionResult> {
  const { session, form } = visit;
  const { id } = visit.payment;
  const { card: cardId = '', formToken: token = '', oneTimeCode = '' } = form;
  checkFormToken(session, id, `challenge ${cardId}`, token);
  const { cards, challengeCode } = session.fixtures.testCards;
  const card = cards.find((each) => each.id === cardId);
  if (form['action'] === 'cancel' || !card) {
    return decideOnce(session, id, { to: 'Cancelled' });
  }
  if (oneTimeCode.trim() !== challengeCode) {
    return showChallenge(visit, token, WORDS.wrongCode);
  }
  const { id: testCard, outcome: to, code, description } = card;
  return decideOnce(session, id, { to, code, description, testCard });
}
