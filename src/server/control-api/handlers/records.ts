import { toMinorUnits } from '../../../base/money.ts';
import type {
  AdjustmentChoice,
  LinksQuery,
  OutcomeChoice,
  PaymentsQuery,
  PaymentTokensQuery,
  RecurringPaymentsQuery,
} from '../../../base/schema/generated/control.ts';
import { addAdjustment } from '../../domain/payments/add-adjustment.ts';
import { decidePayment } from '../../domain/payments/payment.ts';
import { recordAmbiguousSettle } from '../../findings/integration/record-ambiguous-settle.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { findRecord, readRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { viewLink, viewPayment, viewPaymentToken, viewRecurringPayment } from '../views.ts';

export const RECORD_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PaymentsQuery>({
    name: 'listPayments',
    summary: 'List payments',
    description: 'Payments, newest first.',
    method: 'GET',
    path: '/payments',
    query: 'control/payments-query',
    response: listOf('control/payment'),
    handle: (call) => listRecords(call, 'payments', (payment) => viewPayment(payment, call.session.fixtures)),
  }),
  sessionRow({
    name: 'getPayment',
    summary: 'Get a payment',
    description:
      'One payment with its history. `id` is its id, `payerReference`, `paymentId` or `paymentCode`; if several match, the newest.',
    method: 'GET',
    path: '/payments/{id}',
    response: itemOf('control/payment'),
    handle: async (call) => viewPayment(await readRecord(call, 'payments'), call.session.fixtures),
  }),
  sessionRow<OutcomeChoice>({
    name: 'settlePayment',
    summary: 'Settle a payment',
    description:
      "Gives a payment its outcome, as if the payer had paid, cancelled or never answered. Notifies the merchant's endpoints.",
    method: 'POST',
    path: '/payments/{id}/settle',
    request: 'control/outcome-choice',
    response: itemOf('control/payment'),
    handle: ({ session, changeRecords, parameters, body: { outcome, ...words } }) =>
      changeRecords(async (transaction) => {
        const payment = await findRecord(transaction, 'payments', parameters['id']);
        recordAmbiguousSettle(session.generation, transaction, payment, parameters['id']);
        const decidedPayment = decidePayment(transaction, payment, { to: outcome, cause: 'control', ...words });
        return viewPayment(decidedPayment, transaction.fixtures);
      }),
  }),
  sessionRow<AdjustmentChoice>({
    name: 'addAdjustment',
    summary: 'Refund, reverse or charge back a payment',
    description:
      "Refunds, reverses or charges back a paid payment, in full or in part, or reverses a contested chargeback. 409 if the amount exceeds the remainder. Notifies the merchant's endpoints.",
    refusals: ['conflict'],
    method: 'POST',
    path: '/payments/{id}/adjustments',
    request: 'control/adjustment-choice',
    response: itemOf('control/payment'),
    handle: ({ changeRecords, parameters, body: { amount, ...choice } }) =>
      changeRecords(async (transaction) => {
        const payment = await findRecord(transaction, 'payments', parameters['id']);
        const minorUnits = amount === undefined ? null : toMinorUnits(amount);
        const adjusted = addAdjustment(transaction, payment, { ...choice, amount: minorUnits, cause: 'control' });
        return viewPayment(adjusted, transaction.fixtures);
      }),
  }),
  sessionRow<undefined, LinksQuery>({
    name: 'listLinks',
    summary: 'List payment links',
    description: 'Payment links, newest first.',
    method: 'GET',
    path: '/links',
    query: 'control/links-query',
    response: listOf('control/link'),
    handle: (call) => listRecords(call, 'links', (link) => viewLink(link, call.session)),
  }),
  sessionRow({
    name: 'getLink',
    summary: 'Get a payment link',
    description: 'One payment link. `id` is its id or reference.',
    method: 'GET',
    path: '/links/{id}',
    response: itemOf('control/link'),
    handle: async (call) => viewLink(await readRecord(call, 'links'), call.session),
  }),
  sessionRow<undefined, RecurringPaymentsQuery>({
    name: 'listRecurringPayments',
    summary: 'List recurring payments',
    description: 'Recurring payments with their next charge, newest first.',
    method: 'GET',
    path: '/recurring-payments',
    query: 'control/recurring-payments-query',
    response: listOf('control/recurring-payment'),
    handle: (call) => listRecords(call, 'recurringPayments', viewRecurringPayment),
  }),
  sessionRow({
    name: 'getRecurringPayment',
    summary: 'Get a recurring payment',
    description: 'One recurring payment with its next charge. `id` is its id or reference.',
    method: 'GET',
    path: '/recurring-payments/{id}',
    response: itemOf('control/recurring-payment'),
    handle: async (call) => viewRecurringPayment(await readRecord(call, 'recurringPayments')),
  }),
  sessionRow<undefined, PaymentTokensQuery>({
    name: 'listPaymentTokens',
    summary: 'List payment tokens',
    description: 'Payment tokens, newest first.',
    method: 'GET',
    path: '/payment-tokens',
    query: 'control/payment-tokens-query',
    response: listOf('control/payment-token'),
    handle: (call) => listRecords(call, 'paymentTokens', viewPaymentToken),
  }),
  sessionRow({
    name: 'getPaymentToken',
    summary: 'Get a payment token',
    description: 'One payment token. `id` is its id or reference.',
    method: 'GET',
    path: '/payment-tokens/{id}',
    response: itemOf('control/payment-token'),
    handle: async (call) => viewPaymentToken(await readRecord(call, 'paymentTokens')),
  }),
];
