import { Refusal } from '../../../../base/refusal.ts';
import type { Session } from '../../../sessions/session.ts';
import { checkFormToken } from '../../pages/form-token.ts';
import { Handset } from '../../pages/handset.tsx';
import { liveStreamOf, MAX_PAYMENTS_ON_PHONE, paymentsOnPhone } from '../../pages/live-stream.ts';
import { type DecisionResult, decideIn, decideOnce, isOnFlow, pagePaymentOf } from '../../pages/page-payment.ts';
import { pathsOf } from '../../pages/paths.ts';
import { Field, type PayerPage, type Redirect } from '../../pages/payer-page.tsx';
import { WORDS } from '../../pages/words.ts';
import { paymentById } from '../../payments/payment.ts';
import type { Visit } from '../flow.ts';
import { PHONE_FORM_PATH, phonePath } from './paths.ts';
import { Messages, Prompt } from './phone-screen.tsx';

/** Seconds after which a phone without scripts reloads. One with prompts does not, because the payer may be typing a PIN. */
const REFRESH_SECONDS = 5;
/** Maximum number of prompts on a phone, because each can add two addresses to the page's headers. */
const MAX_PROMPTS = 20;
const MAX_MESSAGES = 5;

/** The phone of a number. A number with a plus, 00, spaces or dashes is redirected to its digits. */
export async function openPhone(visit: Visit): Promise<PayerPage | Redirect> {
  const { session, parameters } = visit;
  const { mobile: number = '' } = parameters;
  const mobile = mobileOf(session, number);
  return mobile === number ? showPhone(visit, mobile) : { location: addressOf(session, mobile) };
}

/** The digits of a number, without a leading 00 unless a payment's number has it, too. */
function mobileOf(session: Session, number: string): string {
  const digits = number.replace(/\D/g, '');
  return digits.startsWith('00') && paymentsOnPhone(session, digits).length === 0 ? digits.slice(2) : digits;
}

/** The address of a number's phone; without a number, of the page that asks for one. */
function addressOf(session: Session, mobile: string): string {
  return pathsOf(session).to(mobile === '' ? PHONE_FORM_PATH : phonePath(mobile));
}

/** A simulated phone: the payments that wait for its PIN, newest first, and the latest outcomes. `wrongPinFor`: a payment whose PIN was wrong. */
async function showPhone({ session, flow }: Visit, mobile: string, wrongPinFor?: string): Promise<PayerPage> {
  const payments = paymentsOnPhone(session, mobile);
  const pagePayments = await Promise.all(payments.map((payment) => pagePaymentOf(session, payment)));
  const newestFirst = pagePayments.filter(({ payment }) => isOnFlow(session, flow.name, payment)).reverse();
  const waitingPayments = newestFirst.filter(({ payment }) => payment.state === 'Processing');
  const shownPayments = waitingPayments.slice(0, MAX_PROMPTS);
  const finishedPayments = newestFirst.filter(({ payment }) => payment.state !== 'Processing').slice(0, MAX_MESSAGES);
  const records = pagePayments.flatMap(({ payment, link }) => [payment, link]);
  return {
    ...(wrongPinFor === undefined ? {} : { status: 422 }),
    title: WORDS.phone(mobile),
    look: 'handset',
    links: shownPayments.flatMap(({ link }) => link ?? []),
    live: liveStreamOf(session, 'phone', mobile, records),
    ...(waitingPayments.length === 0 ? { refresh: REFRESH_SECONDS } : {}),
    content: (
      <Handset session={session} app={WORDS.mobileMoney} flow={flow} heading={<Mobile mobile={mobile} />}>
        {waitingPayments.length === 0 ? (
          <div class="nothing">
            <p data-testid="no-prompts">{WORDS.noPrompts}</p>
          </div>
        ) : (
          <ul class="prompts" data-testid="prompts">
            {shownPayments.map((each, index) => (
              <Prompt
                {...each}
                session={session}
                mobile={mobile}
                hasKeypad={index === 0}
                isWrong={each.payment.id === wrongPinFor}
              />
            ))}
          </ul>
        )}
        {waitingPayments.length > MAX_PROMPTS ? (
          <p class="quiet">
            {WORDS.olderPrompts(waitingPayments.length - MAX_PROMPTS, payments.length === MAX_PAYMENTS_ON_PHONE)}
          </p>
        ) : null}
        {finishedPayments.length === 0 ? null : <Messages payments={finishedPayments} session={session} />}
      </Handset>
    ),
  };
}

function Mobile({ mobile }: { mobile: string }) {
  return (
    <h1 class="mobile" data-testid="mobile">
      {mobile}
    </h1>
  );
}

/** Cancels a payment, or decides it by its PIN: the right one pays it; too many wrong ones cause the outcome in fixtures/phone.json. */
export async function submitPin(visit: Visit): Promise<PayerPage | DecisionResult> {
  const { session, flow, parameters, form } = visit;
  const mobile = mobileOf(session, parameters['mobile'] ?? '');
  const id = form['payment'] ?? '';
  checkFormToken(session, id, 'pin', form['formToken']);
  const payment = session.reader.get('payments', id);
  if (payment?.payerMobile !== mobile || !isOnFlow(session, flow.name, payment)) {
    throw new Refusal('unknown-record', WORDS.unknownPrompt);
  }
  if (form['action'] === 'cancel') {
    return decideOnce(session, id, { to: 'Cancelled' });
  }
  if (form['pin'] === session.fixtures.phone.pin) {
    return decideOnce(session, id, { to: 'Paid' });
  }
  const result = await countWrongPin(session, id);
  if (result.payment.state !== 'Processing') {
    return result;
  }
  return showPhone(visit, mobile, id);
}

async function countWrongPin(session: Session, id: string): Promise<DecisionResult> {
  return session.transact(async (transaction) => {
    const payment = paymentById(transaction, id);
    if (payment.state !== 'Processing') {
      return { payment, isAsDecided: false };
    }
    const updated = { ...payment, failedTries: payment.failedTries + 1 };
    const { tries, wrongPin } = transaction.fixtures.phone;
    if (updated.failedTries >= tries) {
      const { outcome: to, code, description } = wrongPin;
      return decideIn(transaction, updated, { to, code, description });
    }
    transaction.put('payments', updated);
    transaction.emit('payment.wrong-pin', 'payments', id, { failedTries: updated.failedTries });
    return { payment: updated, isAsDecided: false };
  });
}

/** The form that asks for a mobile number, for demonstrations. */
export async function showPhoneForm({ session, flow, form: { mobile = '' } }: Visit): Promise<PayerPage | Redirect> {
  const number = mobileOf(session, mobile);
  if (number !== '') {
    return { location: addressOf(session, number) };
  }
  return {
    title: WORDS.pretendPhone,
    look: 'handset',
    content: (
      <Handset session={session} app={WORDS.mobileMoney} flow={flow}>
        <form class="ask" method="get" action={addressOf(session, '')} data-testid="phone-form">
          <h1>{WORDS.whosePhone}</h1>
          <Field id="mobile" label={WORDS.mobileNumber} type="tel" autocomplete="tel" data-testid="mobile-number" />
          <button type="submit" data-testid="continue">
            {WORDS.continue}
          </button>
        </form>
      </Handset>
    ),
  };
}
