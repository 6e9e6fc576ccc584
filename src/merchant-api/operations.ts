import { checkLinkImage, checkPayerMobile, checkWebHookType } from './checks.ts';
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
import type { Environment, Operation, OperationPath, Provenance } from './operation.ts';

function at(environment: Environment, path: string, provenance: Provenance): OperationPath {
  return { environment, path, provenance };
}

/** A row whose handler is typed by its own request; the check stage has proved the type when the handler is called. */
function row<Body>(operation: Operation<Body>): Operation {
  return operation as unknown as Operation;
}

/**
 * THE TABLE: one row per operation of INTERFACE.md and the reference (section 1). The router, both spellings of each path,
 * aliases, 405s, the OpenAPI document and the wire tests are made from it.
 */
export const OPERATIONS: readonly Operation[] = [
  row({
    name: 'getAccessToken',
    summary: 'Get an access token for merchant credentials',
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
    summary: 'Initiate a single payment on the channel that walletName means',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/wallet', 'interface'),
      at('sandbox', '/sandbox/init/authenticate/merchant/wallet', 'interface'),
    ],
    body: 'json',
    request: 'requests/single-payment',
    checks: [checkPayerMobile],
    response: 'responses/payment',
    authentication: 'credentials',
    envelope: 'payment',
    otherwise: { member: 'dynamicPaidList', operation: 'initiateBulkPayment' },
    channelMember: 'walletName',
    handle: initiateSinglePayment,
  }),
  row({
    name: 'initiateBulkPayment',
    summary: 'Initiate a payment that is split by percentage between approved merchants',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/bulkWallet', 'interface'),
      at('sandbox', '/sandbox/init/authenticate/merchant/bulkWallet', 'interface'),
    ],
    body: 'json',
    request: 'requests/bulk-payment',
    checks: [checkPayerMobile],
    response: 'responses/payment',
    authentication: 'credentials',
    envelope: 'payment',
    channelMember: 'walletName',
    handle: initiateBulkPayment,
  }),
  row({
    name: 'initiateBulkPayout',
    summary: 'Split one bank debit into several bank credits',
    method: 'POST',
    paths: [
      at('production', '/init/authenticate/merchant/bulkPayment', 'ours'),
      at('sandbox', '/sandbox/init/authenticate/merchant/bulkPayment', 'interface'),
    ],
    body: 'json',
    request: 'requests/bulk-payout',
    response: 'responses/acknowledgement',
    authentication: 'credentials',
    envelope: 'acknowledgement',
    handle: initiateBulkPayout,
  }),
  row({
    name: 'saveFastCheckout',
    summary: 'Create or update a hosted payment link',
    method: 'POST',
    paths: [
      at('production', '/api/merchant/fastCheckOut', 'interface'),
      at('sandbox', '/api/merchant/sandbox/fastCheckOut', 'interface'),
    ],
    body: 'multipart',
    request: 'requests/payment-link',
    checks: [checkLinkImage],
    response: 'responses/payment-link',
    authentication: 'bearer',
    envelope: 'payment-link',
    handle: saveFastCheckout,
  }),
  row({
    name: 'getPaymentStatus',
    summary: 'Ask how a payment stands, on any channel',
    method: 'GET',
    paths: [
      at('production', '/api/getPaymentDetails', 'known'),
      at('sandbox', '/sandbox/api/getPaymentDetails', 'known'),
    ],
    body: 'json-or-query',
    request: 'requests/payment-status',
    response: 'responses/payment-status',
    authentication: 'bearer',
    envelope: 'query',
    channelMember: 'walletName',
    read: getPaymentStatus,
  }),
  row({
    name: 'listPaymentIntervals',
    summary: 'List the intervals of recurring payments',
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
    summary: 'List the currencies',
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
    summary: 'List the banks',
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
    summary: 'Calculate what a payment costs',
    method: 'POST',
    paths: [
      at('production', '/param/merchant/feesCalculator', 'known'),
      at('sandbox', '/sandbox/param/merchant/feesCalculator', 'ours'),
    ],
    body: 'json',
    request: 'requests/fees-calculation',
    response: 'responses/fees',
    authentication: 'none',
    envelope: 'query',
    channelMember: 'paymentMethod',
    read: calculateFees,
  }),
  row({
    name: 'testWebhook',
    summary: 'Send a sample notification to an address',
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
    read: testWebhook,
  }),
  row({
    name: 'addRecurringPayment',
    summary: 'Charge a payment token at intervals',
    method: 'POST',
    paths: [
      at('production', '/api/addRecurringPayment', 'ours'),
      at('sandbox', '/sandbox/api/addRecurringPayment', 'known'),
    ],
    body: 'json',
    request: 'requests/recurring-payment',
    response: 'responses/acknowledgement',
    authentication: 'optional-bearer',
    envelope: 'acknowledgement',
    handle: addRecurringPayment,
  }),
  row({
    name: 'cancelRecurringPayment',
    summary: 'Cancel a recurring payment',
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
    handle: cancelRecurringPayment,
  }),
  row({
    name: 'requestPaymentToken',
    summary: 'Generate a payment token',
    method: 'POST',
    paths: [
      at('production', '/api/requestPaymentToken', 'ours'),
      at('sandbox', '/sandbox/api/requestPaymentToken', 'known'),
    ],
    body: 'json',
    request: 'requests/payment-token',
    response: 'responses/payment-token',
    authentication: 'bearer',
    envelope: 'acknowledgement',
    handle: requestPaymentToken,
  }),
  row({
    name: 'requestPaymentTokenAndPay',
    summary: 'Generate a payment token together with a payment',
    method: 'POST',
    paths: [
      at('production', '/api/requestPaymentTokenAndPay', 'ours'),
      at('sandbox', '/sandbox/api/requestPaymentTokenAndPay', 'known'),
    ],
    body: 'json',
    request: 'requests/payment-token-with-payment',
    checks: [checkPayerMobile],
    response: 'responses/payment',
    authentication: 'bearer',
    envelope: 'payment',
    channelMember: 'walletName',
    handle: requestPaymentTokenAndPay,
  }),
];

/** The row of an operation. Throws for a name that the table does not have: a mistake in the code, not in a request. */
export function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((each) => each.name === name);
  if (!operation) {
    throw new Error(`the operations table has no row ${name}`);
  }
  return operation;
}
