import type { Channel } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants.ts';
import { linkByToken, whyInactive } from '../domain/payment-links.ts';
import { initiatePayment } from '../domain/payments/initiate.ts';
import { toDecimalText, toMinorUnits } from '../money.ts';
import { Refusal } from '../refusal.ts';
import { choosePlan } from '../scenarios/choose.ts';
import type { PaymentLink } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { messagePage, type Page, Problem, type Redirect, Token } from './page.tsx';

type Form = Readonly<Record<string, string>>;

const INACTIVE = {
  paid: ['This link was paid already', 'It can be paid once, and that has happened.'],
  'not-started': ['Not yet', 'This payment link is not active yet. Come back later.'],
  ended: ['Too late', 'This payment link is no longer active.'],
} as const;

/** The page of a payment link: what is paid for, how much, by which channel, by whom. */
export async function showLink(session: Session, token: string, form: Form = {}, problem?: string): Promise<Page> {
  const { link, merchant } = await find(session, token);
  const why = whyInactive(link, session.clock.now(), session.fixtures.times.localOffset);
  if (why !== null) {
    const [title, text] = INACTIVE[why];
    return messagePage(410, title, text);
  }
  const { channels } = session.fixtures.channels;
  const isDynamic = link.type === 'OPEN_DYNAMIC_AMOUNT';
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: link.name,
    content: (
      <div class="card">
        {link.imageId === null ? null : (
          <img class="picture" src={session.addresses.image(link.imageId)} alt="" data-testid="picture" />
        )}
        <p class="merchant" data-testid="merchant">
          {merchant}
        </p>
        <h1 data-testid="link-name">{link.name}</h1>
        <p class="quiet" data-testid="description">
          {link.description}
        </p>
        {isDynamic ? null : (
          <p class="amount" data-testid="amount">
            {toDecimalText(link.amount)} {link.currency}
          </p>
        )}
        <Problem text={problem} />
        <form method="post" action={session.addresses.link(token)} data-testid="link-form">
          <Token value={formToken(session, `link-${link.id}`, 'pay')} />
          {isDynamic ? (
            <div class="field">
              <label for="amount">Amount in {link.currency}</label>
              <input
                id="amount"
                name="amount"
                inputMode="decimal"
                required
                value={form['amount'] ?? toDecimalText(link.amount)}
                data-testid="amount-field"
              />
            </div>
          ) : null}
          <fieldset>
            <legend>Pay by</legend>
            {channels.map((channel, index) => (
              <label class="choice">
                <input
                  type="radio"
                  name="channel"
                  value={channel.id}
                  checked={form['channel'] === undefined ? index === 0 : form['channel'] === channel.id}
                  data-testid={`channel-${channel.id}`}
                />
                {channel.label}
              </label>
            ))}
          </fieldset>
          <div class="field">
            <label for="name">Your name</label>
            <input
              id="name"
              name="name"
              autocomplete="name"
              required
              value={form['name'] ?? link.payer.fullNames}
              data-testid="payer-name"
            />
          </div>
          <div class="field">
            <label for="mobile">Mobile number (for mobile money)</label>
            <input
              id="mobile"
              name="mobile"
              type="tel"
              autocomplete="tel"
              value={form['mobile'] ?? link.payer.mobile}
              data-testid="payer-mobile"
            />
          </div>
          <button type="submit" data-testid="pay">
            Pay
          </button>
        </form>
      </div>
    ),
  };
}

/** Makes the payment and leads to where its payer is asked. */
export async function takeLink(session: Session, token: string, form: Form): Promise<Page | Redirect> {
  const { link } = await find(session, token);
  checkFormToken(session, `link-${link.id}`, 'pay', form['formToken']);
  if (whyInactive(link, session.clock.now(), session.fixtures.times.localOffset) !== null) {
    return showLink(session, token);
  }
  const channel = session.fixtures.channel(form['channel'] ?? '');
  const mobile = (form['mobile'] ?? '').replace(/\D/g, '');
  const problem = problemWith(link, form, channel, mobile);
  if (problem !== undefined || !channel) {
    return showLink(session, token, form, problem);
  }
  try {
    return { location: await pay(session, link, channel, form, mobile) };
  } catch (error) {
    if (error instanceof Refusal) {
      const expected = error.findings.map((finding) => finding.expected).join('; ');
      return showLink(
        session,
        token,
        form,
        expected === '' ? error.message : `This payment is not possible: expected ${expected}.`,
      );
    }
    throw error;
  }
}

async function pay(session: Session, link: PaymentLink, channel: Channel, form: Form, mobile: string): Promise<string> {
  const { environment } = link;
  const body = { paymentDescription: link.description, payerReference: link.reference };
  const plan = await choosePlan(
    session,
    { operation: 'payPaymentLink', environment, channel: channel.id, body },
    undefined,
  );
  const payment = await session.transact(async (transaction) => {
    const merchant = await findMerchant(transaction, link.merchantId);
    if (!merchant) {
      throw new Refusal('unknown-record', 'the merchant of this link is no longer known');
    }
    return initiatePayment(transaction, {
      environment,
      merchant,
      origin: 'link',
      originId: link.id,
      channel,
      walletName: channel.names[0] ?? channel.id,
      amount: link.type === 'OPEN_DYNAMIC_AMOUNT' ? toMinorUnits(form['amount'] ?? '') : link.amount,
      currency: link.currency,
      description: link.name,
      payerName: form['name'] ?? '',
      payerReference: link.reference,
      payerAccountId: null,
      profileId: Number(link.profileId),
      payerMobile: channel.flow === 'pin-prompt' ? mobile : null,
      split: [],
      settlementPlan: plan.settlementPlan,
    });
  });
  const { addresses } = session;
  switch (channel.flow) {
    case 'qr-code':
      return addresses.approval(payment.paymentCode ?? '');
    case 'pin-prompt':
      return addresses.phone(mobile);
    default:
      return addresses.checkout(payment.paymentId ?? '');
  }
}

function problemWith(link: PaymentLink, form: Form, channel: Channel | undefined, mobile: string): string | undefined {
  if (!channel) {
    return 'Choose how to pay.';
  }
  if (link.type === 'OPEN_DYNAMIC_AMOUNT' && !/^(0|[1-9]\d{0,11})(\.\d{1,2})?$/.test(form['amount'] ?? '')) {
    return 'Enter an amount such as 10.00.';
  }
  return channel.flow === 'pin-prompt' && !/^\d{8,15}$/.test(mobile)
    ? 'Enter the mobile number with its country prefix, digits only.'
    : undefined;
}

async function find(session: Session, token: string): Promise<{ link: PaymentLink; merchant: string }> {
  return session.transact(async (transaction) => {
    const link = await linkByToken(transaction, token);
    return { link, merchant: (await findMerchant(transaction, link.merchantId))?.name ?? link.merchantId };
  });
}
