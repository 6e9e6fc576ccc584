import { checkLinkImage, checkPayerMobile, checkWebHookType } from './field-checks.ts';
import { getAccessToken } from './handlers/access-token.ts';
import { saveFastCheckout } from './handlers/payment-links.ts';
import {
  getPaymentStatus,
  initiateBulkPayment,
  initiateSinglePayment,
  requestPaymentTokenAndPay,
} from './handlers/payments.ts';
import { initiateBulkPayout } from './handlers/payouts.ts';
import { addRecurringPayment, cancelRecurringPayment, requestPaymentToken } from './handlers/recurring-payments.ts';
import { calculateFees, listBanks, listCurrencies, listPaymentIntervals } from './handlers/reference-data.ts';
import { testWebhook } from './handlers/webhook-tester.ts';
import type { ApiEnvironment, Operation, OperationPath, Provenance } from './operation.ts';

function at(environment: ApiEnvironment, path: string, provenance: Provenance): OperationPath {
  return { environment, path, provenance };
}

/** Gives a row's handler the type of its request, which validation has checked before the handler runs. */
function row<Body>(operation: Operation<Body>): Operation {
  return operation;
}

/**
 * THE TABLE: one row per operation of INTERFACE.md and the reference (section 1). The routes, the OpenAPI document and the
 * wire tests are made from it.
 */
export const OPERATIONS: readonly Operation[] = [
  row({
    name: 'getAccessToken',
    summary: 'Get an access token',
    description:
      "Exchanges merchant credentials for a bearer token, which the calls under `/api` require. It expires by the session's clock. A merchant that is not activated gets one, too, with `user.activationActivated` false.",
    method: 'POST',
    paths: [
      at('production', '/auth/authenticate/merchant', 'interface'),
      at('sandbox', '/auth/authenticate/sandbox/merchant', 'known'),
      at('sandbox', '/sandbox/auth/authenticate/merchant', 'ours'),
    ],
    body: 'json',
    request: 'requests/merchant-credentials',
    response: 'responses/access-token',
    authentication: 'credentials',
    envelope: 'access-token',
    read: getAccessToken,
  }),
  row({
    name: 'initiatePayment',
    summary: 'Initiate a payment',
    description:
      'Starts a payment that waits for its payer, and returns the means to pay: a QR code, a prompt on the phone, or the address of a card checkout. `walletName` chooses the channel; only mobile money accepts `payerMobile`. If the body has `dynamicPaidList`, it is a split payment.',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/wallet', 'interface'),
      at('sandbox', '/sandbox/init/authenticate/merchant/wallet', 'interface'),
    ],
    body: 'json',
    request: 'requests/single-payment',
    checks: [checkPayerMobile],
    referenceMember: 'payerReference',
    response: 'responses/payment',
    authentication: 'credentials',
    envelope: 'payment',
    refusals: ['merchant-not-activated', 'business-rule'],
    alternative: { member: 'dynamicPaidList', operation: 'initiateBulkPayment' },
    channelMember: 'walletName',
    handle: initiateSinglePayment,
  }),
  row({
    name: 'initiateBulkPayment',
    summary: 'Initiate a split payment',
    description:
      'Starts a payment whose amount is split by percentage between the merchants of `dynamicPaidList`, who must be approved. Otherwise it works like a single payment.',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/bulkWallet', 'interface'),
      at('sandbox', '/sandbox/init/authenticate/merchant/bulkWallet', 'interface'),
    ],
    body: 'json',
    request: 'requests/bulk-payment',
    checks: [checkPayerMobile],
    referenceMember: 'payerReference',
    response: 'responses/payment',
    authentication: 'credentials',
    envelope: 'payment',
    refusals: ['merchant-not-activated', 'business-rule'],
    channelMember: 'walletName',
    handle: initiateBulkPayment,
  }),
  row({
    name: 'initiateBulkPayout',
    summary: 'Initiate a payout',
    description:
      'Debits one bank account and credits several. A payout has no payer: it is paid automatically after a while, or gets its outcome from the control API.',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/bulkPayment', 'ours'),
      at('sandbox', '/sandbox/init/authenticate/merchant/bulkPayment', 'interface'),
    ],
    body: 'json',
    request: 'requests/bulk-payout',
    referenceMember: 'payerReference',
    response: 'responses/acknowledgement',
    authentication: 'credentials',
    envelope: 'acknowledgement',
    refusals: ['merchant-not-activated', 'business-rule'],
    messages: { accepted: [] },
    handle: initiateBulkPayout,
  }),
  row({
    name: 'saveFastCheckout',
    summary: 'Create or update a payment link',
    description:
      'Creates a payment link if `id` is empty; otherwise updates the link with that id. The body is a form; `paymentLinkImage` is a file part. The file is stored if `paymentLinkImageType` is `NEW` or `UPDATE`, and ignored if it is `NONE`.',
    method: 'POST',
    paths: [
      at('production', '/api/merchant/fastCheckOut', 'interface'),
      at('sandbox', '/api/merchant/sandbox/fastCheckOut', 'interface'),
    ],
    body: 'multipart',
    request: 'requests/payment-link',
    checks: [checkLinkImage],
    referenceMember: 'paymentLinkReference',
    response: 'responses/payment-link',
    authentication: 'bearer',
    envelope: 'payment-link',
    refusals: ['merchant-not-activated', 'business-rule', 'unknown-record'],
    messages: { created: ['imageUrl'], updated: ['imageUrl'] },
    handle: saveFastCheckout,
  }),
  row({
    name: 'getPaymentStatus',
    summary: 'Get the status of a payment',
    description:
      'Returns the current status of the payment, in the fields of a notification, and the answer to its initiation. `paymentAmount` and `paymentCharges` do not change after it is paid; `status` and `description` also show later events, like the last notification. `transactionReference` is the `paymentId`, `payerReference` or `paymentCode`. The parameters may also be sent as a JSON body.',
    method: 'GET',
    paths: [
      at('production', '/api/getPaymentDetails', 'known'),
      at('sandbox', '/sandbox/api/getPaymentDetails', 'known'),
    ],
    body: 'json-or-query',
    request: 'requests/payment-status',
    referenceMember: 'transactionReference',
    response: 'responses/payment-status',
    authentication: 'bearer',
    envelope: 'query',
    refusals: ['unknown-record'],
    channelMember: 'walletName',
    read: getPaymentStatus,
  }),
  row({
    name: 'listPaymentIntervals',
    summary: 'List payment intervals',
    description: 'The intervals of recurring payments, each with its number of days.',
    method: 'GET',
    paths: [
      at('production', '/param/paymentIntervals', 'interface'),
      at('sandbox', '/sandbox/param/paymentIntervals', 'ours'),
    ],
    body: 'none',
    request: null,
    response: 'responses/payment-intervals',
    authentication: 'none',
    envelope: 'query',
    read: listPaymentIntervals,
  }),
  row({
    name: 'listCurrencies',
    summary: 'List currencies',
    description: 'The currencies, with the ids that the payment calculator and payment links accept.',
    method: 'GET',
    paths: [at('production', '/init/currencies/all', 'known'), at('sandbox', '/sandbox/init/currencies/all', 'ours')],
    body: 'none',
    request: null,
    response: 'responses/currencies',
    authentication: 'none',
    envelope: 'query',
    read: listCurrencies,
  }),
  row({
    name: 'listBanks',
    summary: 'List banks',
    description: 'The banks, with their BIC codes.',
    method: 'GET',
    paths: [at('production', '/init/banks/all', 'ours'), at('sandbox', '/sandbox/init/banks/all', 'ours')],
    body: 'none',
    request: null,
    response: 'responses/banks',
    authentication: 'none',
    envelope: 'query',
    read: listBanks,
  }),
  row({
    name: 'calculateFees',
    summary: 'Calculate fees',
    description:
      'Returns the current fees for a channel and currency, and the total cost of a payment of the given amount. With a bearer token, the fees are those of its merchant.',
    method: 'POST',
    paths: [
      at('production', '/param/merchant/feesCalculator', 'known'),
      at('sandbox', '/sandbox/param/merchant/feesCalculator', 'ours'),
    ],
    body: 'json',
    request: 'requests/fees-calculation',
    response: 'responses/fees',
    authentication: 'optional-bearer',
    envelope: 'query',
    refusals: ['business-rule'],
    channelMember: 'paymentMethod',
    read: calculateFees,
  }),
  row({
    name: 'testWebhook',
    summary: 'Send a test notification',
    description:
      'Sends a sample notification to an address, without retries, and returns its body. `X-Sandbox-Delivery-Outcome` shows whether it was delivered.',
    method: 'POST',
    paths: [
      at('production', '/init/customerWebhookTester', 'interface'),
      at('sandbox', '/sandbox/init/customerWebhookTester', 'interface'),
    ],
    body: 'json',
    request: 'requests/webhook-test',
    checks: [checkWebHookType],
    response: 'responses/notification',
    authentication: 'none',
    envelope: 'query',
    responseHeaders: ['X-Sandbox-Delivery', 'X-Sandbox-Delivery-Outcome'],
    refusals: ['business-rule'],
    read: testWebhook,
  }),
  row({
    name: 'addRecurringPayment',
    summary: 'Add a recurring payment',
    description:
      'Charges a payment token at an interval, from the start date until the expiry date. `recurringPaymentToken` is returned by `requestPaymentToken` and `requestPaymentTokenAndPay`.',
    method: 'POST',
    paths: [
      at('production', '/api/addRecurringPayment', 'ours'),
      at('sandbox', '/sandbox/api/addRecurringPayment', 'known'),
    ],
    body: 'json',
    request: 'requests/recurring-payment',
    referenceMember: 'recurringReference',
    response: 'responses/acknowledgement',
    authentication: 'optional-bearer',
    envelope: 'acknowledgement',
    refusals: ['merchant-not-activated', 'business-rule', 'unknown-record'],
    messages: { added: [] },
    handle: addRecurringPayment,
  }),
  row({
    name: 'cancelRecurringPayment',
    summary: 'Cancel a recurring payment',
    description:
      'Ends a recurring payment, so that it is not charged again. `id` is its number, counted from 1 in each session.',
    method: 'POST',
    paths: [
      at('production', '/api/cancelRecurringPayment/{id}', 'ours'),
      at('sandbox', '/sandbox/api/cancelRecurringPayment/{id}', 'known'),
    ],
    body: 'none',
    request: null,
    response: 'responses/acknowledgement',
    authentication: 'bearer',
    envelope: 'acknowledgement',
    refusals: ['unknown-record', 'conflict'],
    messages: { cancelled: [] },
    handle: cancelRecurringPayment,
  }),
  row({
    name: 'requestPaymentToken',
    summary: 'Generate a payment token',
    description: 'Returns a token that recurring payments can charge. No payment is made.',
    method: 'POST',
    paths: [
      at('production', '/api/requestPaymentToken', 'ours'),
      at('sandbox', '/sandbox/api/requestPaymentToken', 'known'),
    ],
    body: 'json',
    request: 'requests/payment-token',
    referenceMember: 'paymentTokenReferenceRequest',
    response: 'responses/payment-token',
    authentication: 'bearer',
    envelope: 'acknowledgement',
    refusals: ['merchant-not-activated', 'business-rule'],
    messages: { generated: [] },
    handle: requestPaymentToken,
  }),
  row({
    name: 'requestPaymentTokenAndPay',
    summary: 'Generate a payment token with a payment',
    description: 'Starts a payment, and returns a token that recurring payments can charge once the payment is paid.',
    method: 'POST',
    paths: [
      at('production', '/api/requestPaymentTokenAndPay', 'ours'),
      at('sandbox', '/sandbox/api/requestPaymentTokenAndPay', 'known'),
    ],
    body: 'json',
    request: 'requests/payment-token-with-payment',
    checks: [checkPayerMobile],
    referenceMember: 'payerReference',
    response: 'responses/payment',
    authentication: 'bearer',
    envelope: 'payment',
    refusals: ['merchant-not-activated', 'business-rule'],
    channelMember: 'walletName',
    handle: requestPaymentTokenAndPay,
  }),
];

/** Throws Error, not a Refusal, because an unknown name is a mistake in the code. */
export function requireOperation(name: string): Operation {
  const operation = OPERATIONS.find((each) => each.name === name);
  if (!operation) {
    throw new Error(`the operations table has no row ${name}`);
  }
  return operation;
}
