import { paymentById } from '../domain/payments/payment.ts';
import { toDecimalText } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Payment, PaymentLink } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { follow } from './live.ts';
import { type Form, type Page, Problem, type Redirect, ReturnLink, Token, wrongPage } from './page.tsx';
import { pathsOf } from './paths.ts';
import { type Decided, decide, isOn, leadOn, settleOnce } from './payments.ts';
import { isPaidOtherwise, linkOf, wayBack } from './way-back.ts';

/** Seconds after which a phone without scripts looks for new prompts; not while a PIN may be half typed. */
const REFRESH = 5;
/** How many prompts a phone shows, the newest first: each may add two addresses to the page's headers. */
const PROMPTS = 20;
/** How many messages about earlier payments. */
const MESSAGES = 5;

interface OnPhone {
  payment: Payment;
  link: PaymentLink | undefined;
}

/** The phone of a number however it is spelled: with a plus or 00 before it, spaces or dashes. */
export async function openPhone(session: Session, number: string): Promise<Page | Redirect> {
  const mobile = digitsOf(number);
  return mobile === number ? showPhone(session, mobile) : { location: addressOf(session, mobile) };
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, '').replace(/^00/, '');
}

/** Without a number, the page that asks for one. */
function addressOf(session: Session, mobile: string): string {
  const paths = pathsOf(session);
  return mobile === '' ? `${paths.base}/pay/phone` : paths.phone(mobile);
}

/** A pretend handset: what waits for this number's PIN, newest first, and how the last ones ended. */
async function showPhone(session: Session, mobile: string, problem?: string): Promise<Page> {
  const payments = await session.find('payments', 'payerMobile', mobile);
  const all = await Promise.all(payments.map(async (payment) => ({ payment, link: await linkOf(session, payment) })));
  const newestFirst = all.filter(({ payment }) => isOn(session, 'pin-prompt', payment)).reverse();
  const waiting = newestFirst.filter(({ payment }) => payment.state === 'Processing');
  const shown = waiting.slice(0, PROMPTS);
  const over = newestFirst.filter(({ payment }) => payment.state !== 'Processing').slice(0, MESSAGES);
  const records = all.flatMap(({ payment, link }) => [payment, link]);
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: `Phone ${mobile}`,
    links: shown.flatMap(({ link }) => link ?? []),
    live: follow(session, 'phone', mobile, records),
    ...(waiting.length === 0 ? { refresh: REFRESH } : {}),
    content: (
      <>
        <div class="card">
          <p class="merchant" data-testid="mobile">
            {mobile}
          </p>
          <h1>Mobile money</h1>
          <Problem text={problem} />
          {waiting.length === 0 ? (
            <p class="quiet" data-testid="no-prompts">
              No payment is waiting for your PIN.
            </p>
          ) : (
            <ul class="prompts" data-testid="prompts">
              {shown.map(({ payment }) => (
                <Prompt payment={payment} session={session} mobile={mobile} />
              ))}
            </ul>
          )}
          {waiting.length > PROMPTS ? (
            <p class="quiet">{waiting.length - PROMPTS} older payments are waiting, too.</p>
          ) : null}
        </div>
        {over.length === 0 ? null : <Messages over={over} session={session} />}
      </>
    ),
  };
}

function Messages({ over, session }: { over: readonly OnPhone[]; session: Session }) {
  return (
    <section class="card" aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      <ul class="prompts">
        {over.map(({ payment, link }) => {
          const address = wayBack(session, link, payment);
          return (
            <li data-testid={`message-${payment.id}`} data-state={payment.state}>
              <p class="message">
                {toDecimalText(payment.amount)} {payment.currency}, {payment.payerReference}:{' '}
                {isPaidOtherwise(link, payment) ? 'This link was paid already.' : howItEnded(session, payment)}
              </p>
              {address === undefined ? null : <ReturnLink address={address} id={payment.id} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function howItEnded(session: Session, { state, history }: Payment): string {
  const description = history.at(-1)?.description;
  const { word } = session.fixtures.paymentStates[state];
  return description ? `${word} (${description})` : word;
}

function Prompt({ payment, session, mobile }: { payment: Payment; session: Session; mobile: string }) {
  const field = `pin-${payment.id}`;
  const { pin, tries } = session.fixtures.phone;
  const left = tries - payment.failedTries;
  return (
    <li data-testid={`prompt-${payment.id}`}>
      <p class="amount">
        {toDecimalText(payment.amount)} {payment.currency}
      </p>
      <p class="quiet">
        {payment.description} · <code>{payment.payerReference}</code>
      </p>
      <form method="post" action={pathsOf(session).phone(mobile)}>
        <Token value={formToken(session, payment.id, 'pin')} />
        <input type="hidden" name="payment" value={payment.id} />
        <div class="field">
          <label for={field}>PIN</label>
          <input
            id={field}
            name="pin"
            type="password"
            inputMode="numeric"
            autocomplete="off"
            maxLength={8}
            required
            aria-describedby={`hint-${payment.id}`}
            data-testid={`pin-${payment.id}`}
          />
          <p class="quiet" id={`hint-${payment.id}`}>
            The sandbox PIN is {pin}. {triesLeft(left)}
          </p>
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

function triesLeft(left: number): string {
  return `You have ${left} ${left === 1 ? 'try' : 'tries'} left.`;
}

/** Takes a PIN: the right one pays, a wrong one counts, too many of them end the payment. */
export async function takePin(session: Session, number: string, form: Form): Promise<Page | Redirect> {
  const mobile = digitsOf(number);
  const id = form['payment'] ?? '';
  checkFormToken(session, id, 'pin', form['formToken']);
  const payment = await session.get('payments', id);
  if (payment && !isOn(session, 'pin-prompt', payment)) {
    return wrongPage(session, payment);
  }
  if (payment?.payerMobile !== mobile) {
    throw new Refusal('unknown-record', 'There is no such payment on this phone. Its sandbox may have been reset.');
  }
  if (form['action'] === 'decline') {
    return leadOn(session, await settleOnce(session, id, { to: 'Cancelled' }));
  }
  if (form['pin'] === session.fixtures.phone.pin) {
    return leadOn(session, await settleOnce(session, id, { to: 'Paid' }));
  }
  const decided = await countWrongPin(session, id);
  if (decided.payment.state !== 'Processing') {
    return leadOn(session, decided);
  }
  const left = session.fixtures.phone.tries - decided.payment.failedTries;
  return showPhone(session, mobile, `Wrong PIN. ${triesLeft(left)}`);
}

async function countWrongPin(session: Session, id: string): Promise<Decided> {
  return session.transact(async (transaction) => {
    const payment = await paymentById(transaction, id);
    if (payment.state !== 'Processing') {
      return { payment, isAsDecided: false };
    }
    const counted = { ...payment, failedTries: payment.failedTries + 1 };
    const { tries, wrongPin } = transaction.fixtures.phone;
    if (counted.failedTries >= tries) {
      const { outcome: to, code, description } = wrongPin;
      return decide(transaction, counted, { to, code, description });
    }
    transaction.put('payments', counted);
    transaction.emit('payment.wrong-pin', 'payments', id, { failedTries: counted.failedTries });
    return { payment: counted, isAsDecided: false };
  });
}

/** For a demo: whose phone is this? */
export async function showPhoneForm(session: Session, mobile: string | undefined): Promise<Page | Redirect> {
  const paths = pathsOf(session);
  const digits = digitsOf(mobile ?? '');
  if (digits !== '') {
    return { location: paths.phone(digits) };
  }
  return {
    title: 'Pretend phone',
    content: (
      <div class="card">
        <h1>Whose phone is this?</h1>
        <form method="get" action={`${paths.base}/pay/phone`} data-testid="phone-form">
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
