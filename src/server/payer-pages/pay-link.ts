import { toMinorUnits } from '../../base/money.ts';
import { isRefusedAs, Refusal } from '../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../base/schema/records.ts';
import { type Channel, flowOf } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants/merchants.ts';
import { formIdOf } from '../domain/pages/form-token.ts';
import type { PageForm, PayerPage, Redirect } from '../domain/pages/payer-page.tsx';
import { linkByToken, whyInactive } from '../domain/payment-links/payment-links.ts';
import { initiatePayment } from '../domain/payments/initiate-payment.ts';
import { choosePlan } from '../domain/scenarios/choose.ts';
import type { Session } from '../sessions/session.ts';
import { pageOf, paymentOfForm } from './open-payment.ts';
import { currenciesOf, type LinkProblem, showLink } from './payment-link.tsx';

/** The valid input of a payer on the page of a link. */
interface LinkOrder {
  channel: Channel;
  currency: string;
  amount: number;
  name: string;
  mobile: string;
  contact: NonNullable<Payment['payerContact']>;
}

/** Makes the payment and redirects to its page. A form that is sent again, such as by a double click, leads to the same payment. */
export async function submitLinkForm(session: Session, token: string, form: PageForm): Promise<PayerPage | Redirect> {
  const link = await linkByToken(session.reader, token);
  const formId = formIdOf(session, `link-${link.id}`, 'pay', form['formToken']);
  const earlier = await paymentOfForm(session.reader, formId);
  if (earlier) {
    return { location: pageOf(session, earlier) };
  }
  if (whyInactive(link, session.clock.now(), session.fixtures.times.localOffset) !== null) {
    return showLink(session, token);
  }
  const order = readForm(session, link, form);
  if ('text' in order) {
    return showLink(session, token, form, order);
  }
  try {
    return { location: pageOf(session, await pay(session, link, formId, order)) };
  } catch (error) {
    if (error instanceof Refusal && !isRefusedAs(error, 'storage', 'moved', 'outcome-unknown')) {
      return showLink(session, token, form, problemOf(error, link, order));
    }
    throw error;
  }
}

function readForm(session: Session, link: PaymentLink, form: PageForm): LinkOrder | LinkProblem {
  const { name = '', email = '', address = '' } = form;
  const channel = session.fixtures.channel(form['channel'] ?? '');
  if (!channel) {
    return { text: 'Choose how to pay.' };
  }
  const currencies = currenciesOf(session, link).map(({ currencyCode }) => currencyCode);
  const currency = form['currency'] ?? link.currency;
  if (!currencies.includes(currency)) {
    return { text: `This link cannot be paid in that currency. Choose ${currencies.join(' or ')}.` };
  }
  const typed = (form['amount'] ?? '').trim();
  const isDynamic = link.type === 'OPEN_DYNAMIC_AMOUNT';
  if (isDynamic && !/^(0|[1-9]\d{0,11})(\.\d{1,2})?$/.test(typed)) {
    return { text: 'Enter an amount such as 10.00.' };
  }
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return { text: 'Enter an e-mail address such as ann@example.test, or leave it empty.' };
  }
  const mobile = (form['mobile'] ?? '').replace(/\D/g, '');
  if (flowOf(channel).needsMobile && !/^\d{8,15}$/.test(mobile)) {
    return { text: 'Enter your mobile number with its country code, for example 263770000001.' };
  }
  const amount = isDynamic ? toMinorUnits(typed) : link.amount;
  return { channel, currency, amount, name, mobile, contact: { emailAddress: email, address } };
}

async function pay(session: Session, link: PaymentLink, formId: string, order: LinkOrder): Promise<Payment> {
  const { environment } = link;
  const { channel, currency, amount, name, mobile, contact } = order;
  const body = { paymentDescription: link.description, payerReference: link.reference };
  const plan = await choosePlan(session.reader, {
    operation: 'payPaymentLink',
    environment,
    channel: channel.id,
    body,
  });
  return session.transact(async (transaction) => {
    // The same form may have been submitted while this one waited.
    const earlier = await paymentOfForm(transaction, formId);
    if (earlier) {
      return earlier;
    }
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
      amount,
      currency,
      description: link.name,
      payerName: name,
      payerReference: link.reference,
      payerAccountId: null,
      profileId: Number(link.profileId),
      payerMobile: flowOf(channel).needsMobile ? mobile : null,
      payerContact: contact,
      formId,
      split: [],
      outcomePlan: plan.outcomePlan,
    });
  });
}

/** Explains a refusal to the payer; `reason` is for the developer. */
function problemOf(refusal: Refusal, link: PaymentLink, { channel, currency }: LinkOrder): LinkProblem {
  const isAbout = (path: string) => refusal.findings.some((finding) => finding.path === path);
  const reason = refusal.message;
  if (isAbout('$.currency')) {
    return {
      text: `${channel.label} does not take ${currency}. Choose another currency or another way to pay.`,
      reason,
    };
  }
  if (isAbout('$.amount')) {
    const instead = link.type === 'OPEN_DYNAMIC_AMOUNT' ? 'Enter another amount or choose' : 'Choose';
    return { text: `${channel.label} does not take this amount. ${instead} another way to pay.`, reason };
  }
  return { text: 'The merchant cannot take this payment.', reason };
}
