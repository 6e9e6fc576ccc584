import { toDecimalText } from '../../base/money.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { Records } from '../store/store.ts';

export type Texts = readonly (string | null | undefined)[];

export type SearchedCollection =
  | 'payments'
  | 'payouts'
  | 'settlements'
  | 'links'
  | 'recurringPayments'
  | 'paymentTokens'
  | 'shopCodes'
  | 'deliveries';

export const SEARCHED_TEXTS: { readonly [C in SearchedCollection]: (record: Records[C]) => Texts } = {
  payments: (payment) => [
    payment.id,
    payment.payerReference,
    payment.paymentId,
    payment.paymentCode,
    payment.originId,
    payment.payerMobile,
    payment.payerName,
    payment.payerContact?.emailAddress,
    payment.description,
    payment.merchantId,
    payment.walletName,
    amountText(payment.amount, payment.currency),
    ...(payment.adjustments ?? []).flatMap(({ amount, code }) => [amountText(amount, payment.currency), code]),
    ...payment.shares.flatMap(({ merchantId, amount }) => [merchantId, toDecimalText(amount)]),
  ],
  payouts: (payout) => [
    payout.id,
    payout.payerReference,
    payout.payerBankReference,
    payout.payerName,
    payout.description,
    payout.merchantId,
    amountText(payout.total, payout.currency),
    ...accountTexts(payout.debit),
    ...payout.credits.flatMap((credit) => [credit.merchantId, toDecimalText(credit.amount), ...accountTexts(credit)]),
  ],
  settlements: ({ id, merchantId, businessDate, currency, totals, bank }) => [
    id,
    merchantId,
    businessDate,
    amountText(totals?.transferred ?? 0, currency),
    bank.accountNumber,
  ],
  links: (link) => [
    link.id,
    link.reference,
    link.name,
    link.description,
    link.email,
    link.payer.fullNames,
    link.payer.emailAddress,
    link.payer.mobile,
    link.token,
    link.merchantId,
    amountText(link.amount, link.currency),
  ],
  recurringPayments: (recurring) => [
    recurring.id,
    recurring.reference,
    recurring.description,
    recurring.merchantId,
    recurring.paymentToken,
    recurring.intervalName,
    amountText(recurring.amount, recurring.currency),
  ],
  paymentTokens: (token) => [token.id, token.reference, token.token, token.merchantId, token.channel, token.walletName],
  shopCodes: (code) => [
    code.id,
    code.reference,
    code.description,
    code.merchantId,
    code.amount === null ? code.currency : amountText(code.amount, code.currency),
  ],
  deliveries: (delivery) => [
    delivery.id,
    delivery.webhookId,
    delivery.type,
    delivery.subjectId,
    delivery.url,
    delivery.body,
    delivery.merchantId,
  ],
};

export function textsOfRequest({ id, method, path, operation, reference, ...request }: LoggedRequest): Texts {
  return [
    id,
    `${method} ${path}`,
    operation,
    reference,
    request.merchantId,
    request.outcome,
    request.reason,
    JSON.stringify(request.query),
    typeof request.body === 'string' ? request.body : JSON.stringify(request.body),
    request.answer?.body,
  ];
}

export function textsOfEvent({ id, type, subjectId, requestId, data }: SessionEvent): Texts {
  return [String(id), type, subjectId, requestId, JSON.stringify(data)];
}

/** Returns a function that checks whether texts contain each word of a search, regardless of case. Amounts may be written as 1,249.90. */
export function matcherFor(search: string): (texts: Texts) => boolean {
  const patterns = search.split(/\s+/).map((word) => new RegExp(escapePattern(withoutGrouping(word)), 'i'));
  return (texts) => {
    const text = texts.filter((each) => each != null).join('\n');
    return patterns.every((pattern) => pattern.test(text));
  };
}

function accountTexts(account: Records['payouts']['debit']): Texts {
  return [account.bankName, account.accountName, account.accountNumber];
}

function amountText(amount: number, currency: string): string {
  return `${toDecimalText(amount)} ${currency}`;
}

function withoutGrouping(word: string): string {
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(word) ? word.replaceAll(',', '') : word;
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
