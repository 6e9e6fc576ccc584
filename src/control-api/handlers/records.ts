import { findMerchant } from '../../domain/merchants.ts';
import { paymentById, settlePayment } from '../../domain/payments/payment.ts';
import { settlePayout } from '../../domain/payouts.ts';
import { Refusal } from '../../refusal.ts';
import type { Settlement } from '../../schema/control.ts';
import type { CollectionName, Records } from '../../store/store.ts';
import { listRecords } from '../lists.ts';
import { type ControlCall, type ControlOperation, controlRow } from '../operation.ts';
import { viewLink, viewMerchant, viewPayment, viewPaymentToken, viewPayout, viewRecurringPayment } from '../views.ts';

const PAYMENT_FILTERS = [
  'state',
  'channel',
  'merchantId',
  'payerReference',
  'paymentId',
  'paymentCode',
  'environment',
  'origin',
  'originId',
  'payerMobile',
];

/** Looking at what a session keeps, and settling it. */
export const RECORD_OPERATIONS: readonly ControlOperation[] = [
  controlRow({
    name: 'listPayments',
    summary: 'Payments, newest first',
    method: 'GET',
    path: '/payments',
    request: null,
    handle: (call) => listRecords(call as ControlCall<never>, 'payments', PAYMENT_FILTERS, viewPayment),
  }),
  controlRow({
    name: 'getPayment',
    summary: 'One payment with its history',
    method: 'GET',
    path: '/payments/{id}',
    request: null,
    handle: async (call) => viewPayment(await one(call, 'payments')),
  }),
  controlRow<Settlement>({
    name: 'settlePayment',
    summary: 'Settle a payment as if its payer, or nobody, had acted',
    method: 'POST',
    path: '/payments/{id}/settle',
    request: 'control/settlement',
    handle: ({ session, parameters, body: { outcome, ...words } }) =>
      session.transact(async (transaction) => {
        const payment = await paymentById(transaction, parameters['id'] ?? '');
        return viewPayment(await settlePayment(transaction, payment, { to: outcome, cause: 'control', ...words }));
      }),
  }),
  controlRow({
    name: 'listPayouts',
    summary: 'Payouts, newest first',
    method: 'GET',
    path: '/payouts',
    request: null,
    handle: (call) =>
      listRecords(
        call as ControlCall<never>,
        'payouts',
        ['state', 'merchantId', 'payerReference', 'environment'],
        viewPayout,
      ),
  }),
  controlRow({
    name: 'getPayout',
    summary: 'One payout with its credits',
    method: 'GET',
    path: '/payouts/{id}',
    request: null,
    handle: async (call) => viewPayout(await one(call, 'payouts')),
  }),
  controlRow<Settlement>({
    name: 'settlePayout',
    summary: 'Settle a payout',
    method: 'POST',
    path: '/payouts/{id}/settle',
    request: 'control/settlement',
    handle: ({ session, parameters, body: { outcome, ...words } }) =>
      session.transact(async (transaction) => {
        const payout = await transaction.get('payouts', parameters['id'] ?? '');
        if (!payout) {
          throw new Refusal('unknown-record', `there is no payout ${parameters['id']} in session ${session.name}`);
        }
        return viewPayout(settlePayout(transaction, payout, { to: outcome, cause: 'control', ...words }));
      }),
  }),
  controlRow({
    name: 'listLinks',
    summary: 'Payment links, newest first',
    method: 'GET',
    path: '/links',
    request: null,
    handle: (call) =>
      listRecords(call as ControlCall<never>, 'links', ['merchantId', 'reference', 'type', 'environment'], (link) =>
        viewLink(link, call.session),
      ),
  }),
  controlRow({
    name: 'getLink',
    summary: 'One payment link',
    method: 'GET',
    path: '/links/{id}',
    request: null,
    handle: async (call) => viewLink(await one(call, 'links'), call.session),
  }),
  controlRow({
    name: 'listRecurringPayments',
    summary: 'Recurring payments with their next charge, newest first',
    method: 'GET',
    path: '/recurring-payments',
    request: null,
    handle: (call) =>
      listRecords(
        call as ControlCall<never>,
        'recurringPayments',
        ['merchantId', 'state', 'reference', 'environment'],
        viewRecurringPayment,
      ),
  }),
  controlRow({
    name: 'listPaymentTokens',
    summary: 'Payment tokens, newest first',
    method: 'GET',
    path: '/payment-tokens',
    request: null,
    handle: (call) =>
      listRecords(call as ControlCall<never>, 'paymentTokens', ['merchantId', 'reference'], viewPaymentToken),
  }),
  controlRow({
    name: 'listMerchants',
    summary: 'Merchants of the fixture, and those that registered themselves',
    method: 'GET',
    path: '/merchants',
    request: null,
    handle: ({ session }) =>
      session.read(async (reader) => {
        const registered = await reader.all('merchants');
        const ids = new Set(registered.map(({ id }) => id));
        const shipped = reader.fixtures.merchants.merchants.filter(({ id }) => !ids.has(id));
        const all = await Promise.all(shipped.map(({ id }) => findMerchant(reader, id)));
        const known = all.flatMap((merchant) => merchant ?? []);
        return { items: [...known, ...registered].map(viewMerchant), nextCursor: null };
      }),
  }),
];

async function one<C extends CollectionName>(
  { session, parameters }: ControlCall<undefined>,
  collection: C,
): Promise<Records[C]> {
  const id = parameters['id'] ?? '';
  const record = await session.read((reader) => reader.get(collection, id));
  if (!record) {
    throw new Refusal(
      'unknown-record',
      `there is no ${JSON.stringify(id)} among the ${collection} of session ${session.name}`,
    );
  }
  return record;
}
