import { isTypedAmount, toMinorUnits } from '../../base/money.ts';
import { isRefusedAs, Refusal } from '../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../base/schema/generated/records.ts';
import { type Channel, flowOf } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants/merchants.ts';
import { formIdOf } from '../domain/pages/form-token.ts';
import type { FormProblem, PageForm, PayerPage, Redirect } from '../domain/pages/payer-page.tsx';
import { WORDS } from '../domain/pages/words.ts';
import { inactiveReason, linkByToken } from '../domain/payment-links/payment-links.ts';
import { initiatePayment } from '../domain/payments/initiate-payment.ts';
import { choosePlan } from '../domain/scenarios/choose-plan.ts';
import type { Session } from '../sessions/session.ts';
import { currenciesOf, showLink } from './link-page.tsx';
import { pagePathOf, paymentOfForm } from './open-payment.ts';

/** The valid input of a payer on the page of a link. */
interface LinkOrder {
  channel: Channel;
  currency: string;
  amount: number;
  name: string;
  mobile: string;
  contact: NonNullable<Payment['payerContact']>;
}

/** Initiates the payment and redirects to its page. A form that is sent again, as by a double click, leads to the same payment. */
export async function submitLinkForm(session: Session, token: string, form: PageForm): Promise<PayerPage | Redirect> {
  const link = linkByToken(session.reader, token);
  const formId = formIdOf(session, `link-${link.id}`, 'pay', form['formToken']);
  const earlierPayment = paymentOfForm(session.reader, formId);
  if (earlierPayment) {
    return { location: pagePathOf(session, earlierPayment) };
  }
  if (inactiveReason(link, session.clock.now(), session.fixtures.times.localOffset) !== null) {
    return showLink(session, token);
  }
  const order = readForm(session, link, form);
  if ('text' in order) {
    return showLink(session, token, form, order);
  }
  try {
    return { location: pagePathOf(session, await pay(session, link, formId, order)) };
  } catch (error) {
    if (error instanceof Refusal && !isRefusedAs(error, 'storage', 'moved', 'outcome-unknown')) {
      return showLink(session, token, form, problemOf(error, link, order));
    }
    throw error;
  }
}

function readForm(session: Session, link: PaymentLink, form: PageForm): LinkOrder | FormProblem {
  const { name = '', email = '', address = '' } = form;
  const channel = session.fixtures.channel(form['channel'] ?? '');
  if (!channel) {
    return { text: WORDS.chooseChannel };
  }
  const currencies = currenciesOf(session, link).map(({ currencyCode }) => currencyCode);
  const currency = form['currency'] ?? link.currency;
  if (!currencies.includes(currency)) {
    return { text: WORDS.chooseCurrency(currencies) };
  }
  const amountText = (form['amount'] ?? '').trim();
  const isDynamic = link.type === 'OPEN_DYNAMIC_AMOUNT';
  if (isDynamic && !isTypedAmount(amountText)) {
    return { text: WORDS.enterAmount };
  }
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return { text: WORDS.enterEmail };
  }
  const mobile = (form['mobile'] ?? '').replace(/\D/g, '');
  if (flowOf(channel).needsMobile && !/^\d{8,15}$/.test(mobile)) {
    return { text: WORDS.enterMobile };
  }
  const amount = isDynamic ? toMinorUnits(amountText) : link.amount;
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
    amount,
  });
  return session.transact(async (transaction) => {
    // The same form may have been submitted while this one waited.
    const earlierPayment = paymentOfForm(transaction, formId);
    if (earlierPayment) {
      return earlierPayment;
    }
    const merchant = findMerchant(transaction, link.merchantId);
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
function problemOf(refusal: Refusal, link: PaymentLink, { channel, currency }: LinkOrder): FormProblem {
  const isAbout = (path: string) => refusal.findings.some((finding) => finding.path === path);
  const reason = refusal.message;
  if (isAbout('$.currency')) {
    return { text: WORDS.channelWithoutCurrency(channel.label, currency), reason };
  }
  if (isAbout('$.amount')) {
    return { text: WORDS.channelWithoutAmount(channel.label, link.type === 'OPEN_DYNAMIC_AMOUNT'), reason };
  }
  return { text: WORDS.cannotTake, reason };
}
