import { findMerchant } from '../../domain/merchants.ts';
import { settlePayment } from '../../domain/payments/payment.ts';
import { Refusal } from '../../refusal.ts';
import type {
  LinksQuery,
  MerchantCredentials,
  OutcomeChoice,
  PageQuery,
  PaymentsQuery,
  PaymentTokensQuery,
  RecurringPaymentsQuery,
} from '../../schema/control.ts';
import type { Merchant } from '../../schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { findRecord, readRecord } from '../find-record.ts';
import { listRecords, pageOf } from '../lists.ts';
import { type ControlOperation, listOf, one, sessionRow } from '../operation.ts';
import { viewLink, viewMerchant, viewPayment, viewPaymentToken, viewRecurringPayment } from '../views.ts';

/** Looking at what a session keeps, and settling it. `{id}` is the sandbox's own id, or the merchant's reference. */
export const RECORD_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PaymentsQuery>({
    name: 'listPayments',
    summary: 'List payments',
    description: 'Payments, newest first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/payments',
    query: 'control/payments-query',
    request: null,
    response: listOf('control/payment'),
    handle: (call) => listRecords(call, 'payments', viewPayment),
  }),
  sessionRow({
    name: 'getPayment',
    summary: 'Get a payment',
    description:
      'One payment with its history. `id` is its id, `payerReference`, `paymentId` or `paymentCode`; of several the newest.',
    method: 'GET',
    path: '/payments/{id}',
    query: null,
    request: null,
    response: one('control/payment'),
    handle: async (call) => viewPayment(await readRecord(call, 'payments')),
  }),
  sessionRow<OutcomeChoice>({
    name: 'settlePayment',
    summary: 'Settle a payment',
    description: "Settles a payment as if its payer, or nobody, had acted. Notifies the merchant's endpoints.",
    method: 'POST',
    path: '/payments/{id}/settle',
    query: null,
    request: 'control/outcome-choice',
    response: one('control/payment'),
    handle: ({ session, parameters, body: { outcome, ...words } }) =>
      session.transact(async (transaction) => {
        const payment = await findRecord(transaction, 'payments', parameters['id']);
        return viewPayment(await settlePayment(transaction, payment, { to: outcome, cause: 'control', ...words }));
      }),
  }),
  sessionRow<undefined, LinksQuery>({
    name: 'listLinks',
    summary: 'List payment links',
    description:
      'Payment links, newest first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/links',
    query: 'control/links-query',
    request: null,
    response: listOf('control/link'),
    handle: (call) => listRecords(call, 'links', (link) => viewLink(link, call.session)),
  }),
  sessionRow({
    name: 'getLink',
    summary: 'Get a payment link',
    description: 'One payment link. `id` is its id or reference.',
    method: 'GET',
    path: '/links/{id}',
    query: null,
    request: null,
    response: one('control/link'),
    handle: async (call) => viewLink(await readRecord(call, 'links'), call.session),
  }),
  sessionRow<undefined, RecurringPaymentsQuery>({
    name: 'listRecurringPayments',
    summary: 'List recurring payments',
    description:
      'Recurring payments with their next charge, newest first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/recurring-payments',
    query: 'control/recurring-payments-query',
    request: null,
    response: listOf('control/recurring-payment'),
    handle: (call) => listRecords(call, 'recurringPayments', viewRecurringPayment),
  }),
  sessionRow({
    name: 'getRecurringPayment',
    summary: 'Get a recurring payment',
    description: 'One recurring payment with its next charge. `id` is its id or reference.',
    method: 'GET',
    path: '/recurring-payments/{id}',
    query: null,
    request: null,
    response: one('control/recurring-payment'),
    handle: async (call) => viewRecurringPayment(await readRecord(call, 'recurringPayments')),
  }),
  sessionRow<undefined, PaymentTokensQuery>({
    name: 'listPaymentTokens',
    summary: 'List payment tokens',
    description:
      'Payment tokens, newest first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/payment-tokens',
    query: 'control/payment-tokens-query',
    request: null,
    response: listOf('control/payment-token'),
    handle: (call) => listRecords(call, 'paymentTokens', viewPaymentToken),
  }),
  sessionRow({
    name: 'getPaymentToken',
    summary: 'Get a payment token',
    description: 'One payment token. `id` is its id or reference.',
    method: 'GET',
    path: '/payment-tokens/{id}',
    query: null,
    request: null,
    response: one('control/payment-token'),
    handle: async (call) => viewPaymentToken(await readRecord(call, 'paymentTokens')),
  }),
  sessionRow<undefined, PageQuery>({
    name: 'listMerchants',
    summary: 'List merchants',
    description:
      'The merchants of the fixtures, and those that registered themselves, without their keys. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/merchants',
    query: 'control/page-query',
    request: null,
    response: listOf('control/merchant'),
    handle: async ({ session, query }) => {
      const { items, nextCursor } = pageOf(await session.read(allMerchants), query, ({ id }) => id);
      return { items: items.map(viewMerchant), nextCursor };
    },
  }),
  sessionRow({
    name: 'getMerchant',
    summary: 'Get a merchant',
    description: 'One merchant, without its keys.',
    method: 'GET',
    path: '/merchants/{id}',
    query: null,
    request: null,
    response: one('control/merchant'),
    handle: async ({ session, parameters }) =>
      viewMerchant(await session.read((reader) => requireMerchant(reader, parameters['id']))),
  }),
  sessionRow({
    name: 'revealCredentials',
    summary: 'Reveal the credentials of a merchant',
    description:
      'The keys that a merchant shows in its calls, which the request log masks; getAccessToken gives a bearer token for them. Asking is an event, `secret.revealed`.',
    method: 'POST',
    path: '/merchants/{id}/credentials',
    query: null,
    request: null,
    response: one('control/merchant-credentials'),
    handle: ({ session, parameters }): Promise<MerchantCredentials> =>
      session.transact(async (transaction) => {
        const { id, merchantApiKey, merchantKey } = await requireMerchant(transaction, parameters['id']);
        transaction.emit('secret.revealed', 'merchants', id, { what: 'merchant credentials' });
        return { merchantId: id, merchantApiKey, merchantKey };
      }),
  }),
];

async function requireMerchant(reader: Reader, id: string | undefined = ''): Promise<Merchant> {
  const merchant = await findMerchant(reader, id);
  if (!merchant) {
    throw new Refusal('unknown-record', `there is no merchant ${JSON.stringify(id)} in this session`);
  }
  return merchant;
}

async function allMerchants(reader: Reader): Promise<Merchant[]> {
  const registered = await reader.all('merchants');
  const ids = new Set(registered.map(({ id }) => id));
  const shipped = reader.fixtures.merchants.merchants.filter(({ id }) => !ids.has(id));
  const known = await Promise.all(shipped.map(({ id }) => findMerchant(reader, id)));
  return [...known.flatMap((merchant) => merchant ?? []), ...registered];
}
