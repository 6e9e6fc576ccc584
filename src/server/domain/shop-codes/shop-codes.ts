import { toDecimalText } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Payment, ShopCode } from '../../../base/schema/generated/records.ts';
import { fillTemplate } from '../../config/template.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { type BrokenRule, throwIfBroken } from '../broken-rules.ts';
import { type Channel, flowOf } from '../channels/channels.ts';
import { checkMayTrade, findMerchant } from '../merchants/merchants.ts';
import { findFees } from '../payments/fees.ts';
import { initiatePayment, type OutcomePlan } from '../payments/initiate-payment.ts';
import { decidePayment } from '../payments/payment.ts';

export type NewShopCode = Pick<
  ShopCode,
  'environment' | 'merchantId' | 'reference' | 'amount' | 'currency' | 'description' | 'content'
>;

/** Creates a code that a merchant can print. Throws `unknown-record`, `merchant-not-activated`, `business-rule` or `conflict`. */
export function createShopCode(transaction: Transaction, order: NewShopCode): ShopCode {
  const merchant = findMerchant(transaction, order.merchantId);
  if (!merchant) {
    throw new Refusal('unknown-record', `there is no merchant ${JSON.stringify(order.merchantId)} in this session`);
  }
  checkMayTrade(merchant);
  throwIfBroken(validateOrder(transaction, order));
  assertUniqueReference(transaction, order);
  const code: ShopCode = {
    id: `shop-code-${transaction.next('shopCode')}`,
    createdAt: transaction.now,
    ...order,
    active: true,
    scans: 0,
  };
  transaction.put('shopCodes', code);
  transaction.emit('shop-code.created', 'shopCodes', code.id, factsOf(code));
  return code;
}

/** Stops a code from accepting payments, because a printed code cannot be taken back. Throws `conflict` if it is not active. */
export function deactivateShopCode(transaction: Transaction, code: ShopCode): ShopCode {
  if (!code.active) {
    throw new Refusal('conflict', `${code.id} is already inactive`);
  }
  const changed = { ...code, active: false };
  transaction.put('shopCodes', changed);
  transaction.emit('shop-code.deactivated', 'shopCodes', code.id, factsOf(code));
  return changed;
}

export function shopCodeChannel({ fixtures }: Reader): Channel {
  const channel = fixtures.channels.channels.find((each) => flowOf(each).isScanned);
  if (!channel) {
    throw new Refusal('business-rule', 'fixtures/channels.json has no channel with the flow qr-code to pay codes by');
  }
  return channel;
}

/**
 * Creates a payment for a scan that its payer has approved. It is paid at once unless a scenario plans its outcome or it exceeds a payer
 * limit. Throws `conflict` if the code is not active, `unknown-record` without its merchant, and the refusals of initiatePayment.
 */
export function payShopCode(
  transaction: Transaction,
  code: ShopCode,
  { amount, formId, outcomePlan }: { amount: number; formId: string; outcomePlan: OutcomePlan },
): Payment {
  const merchant = findMerchant(transaction, code.merchantId);
  if (!merchant) {
    throw new Refusal('unknown-record', 'the merchant of this code is no longer known');
  }
  if (!code.active) {
    throw new Refusal('conflict', `${code.id} is no longer active`);
  }
  const channel = shopCodeChannel(transaction);
  const scans = code.scans + 1;
  const variables = { code: code.reference, sequence: scans };
  const payment = initiatePayment(transaction, {
    environment: code.environment,
    merchant,
    origin: 'shop-code',
    originId: code.id,
    channel,
    walletName: channel.names[0] ?? channel.id,
    amount,
    currency: code.currency,
    description: code.description,
    payerName: '',
    payerReference: String(fillTemplate(transaction.fixtures.shopCodes.paymentReference, variables)),
    payerAccountId: null,
    profileId: null,
    payerMobile: null,
    formId,
    split: [],
    outcomePlan,
  });
  transaction.put('shopCodes', { ...code, scans });
  return payment.plannedOutcome === null
    ? decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' })
    : payment;
}

/** Throws `conflict`. A reference must be unique, because payments get theirs from it. */
function assertUniqueReference(transaction: Transaction, order: NewShopCode): void {
  const { reference, merchantId, environment } = order;
  const others = transaction.find('shopCodes', 'reference', reference);
  const other = others.find((code) => code.merchantId === merchantId && code.environment === environment);
  if (other) {
    throw new Refusal('conflict', `merchant ${merchantId} already has ${other.id} with the reference ${reference}`);
  }
}

function factsOf({ reference, amount, currency }: ShopCode) {
  return { reference, ...(amount === null ? {} : { amount: toDecimalText(amount), currency }) };
}

function validateOrder(transaction: Transaction, { merchantId, currency, amount, content }: NewShopCode): BrokenRule[] {
  const { fixtures, now: at } = transaction;
  const channel = shopCodeChannel(transaction).id;
  const feeOrder = { channel, merchantId, currency, amount: amount ?? 0, amountPath: '$.amount', at };
  const { brokenRules } = findFees(fixtures, feeOrder);
  const currencyNumber = fixtures.shopCodes.emv.currencies[currency];
  const expected = 'address, or a number for the currency in fixtures/shop-codes.json';
  return [
    // A payer's own amount is checked when it is entered.
    ...brokenRules.filter(({ path }) => amount !== null || path !== '$.amount'),
    ...(content === 'emv' && currencyNumber === undefined
      ? [{ path: '$.content', expected, value: content, involves: ['$.currency'] }]
      : []),
  ];
}
