// Actions of merchants, payers and testers in one session, from its creation to its deletion.
const START = '2026-03-01T10:00:00Z';
const CHANNELS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const PAYER_MOBILE = '263770000001';
const READS = ['/payments', '/webhooks/deliveries', '/requests', '/jobs', '/clock', '/state', '/payouts', '/links'];
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function payment(walletName, payerReference) {
  return {
    walletName,
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: 'A payment of the soak test',
    payerName: 'Ann Payer',
    payerReference,
    payerAccountId: 7,
    profileId: 1,
    ...(walletName === 'WALLET_MOBILE' ? { payerMobile: PAYER_MOBILE } : {}),
  };
}

const PAYOUT = {
  debitTotalAmount: 40,
  debitPaymentCurrency: 'USD',
  paymentDescription: 'Salaries',
  debitBankName: 'First Sandbox Bank',
  debitBankBICCode: 'FSBKZZ22',
  debitAccountNumber: '1000000001',
  debitAccountName: 'Corner Shop',
  payerName: 'Corner Shop',
  payerReference: 'PAYOUT-1',
  payerBankReference: 'BANK-1',
  dynamicCreditList: [
    {
      creditMerchantId: 'M-1001',
      creditBankName: 'Second Sandbox Bank',
      creditBankBICCode: 'SSBKZZ22',
      creditAccountNumber: '2000000002',
      creditAccountName: 'Two',
      creditAmount: 40,
    },
  ],
};

const LINK = {
  id: '',
  paymentLinkName: 'Market stall',
  paymentLinkDescription: 'Fruit',
  paymentLinkReference: 'LINK-1',
  paymentLinkAmount: '25.00',
  paymentLinkType: 'OPEN_FIXED_AMOUNT',
  paymentLinkImageType: 'NEW',
  paymentLinkProfileId: '1',
  paymentLinkStartDate: '2026-01-01',
  paymentLinkEndDate: '9000-12-31',
  paymentLinkCurrency: 'USD',
  paymentLinkCurrencyId: '1',
  paymentLinkOtherCurrencies: 'false',
  paymentLinkCustomerRedirectUrl: 'http://127.0.0.1:3000/paid',
  paymentCustomerFailRedirectUrl: 'http://127.0.0.1:3000/failed',
  paymentLinkEmail: 'merchant@example.test',
  paymentPayerFullNames: 'Ann Payer',
  paymentPayerEmailAddress: 'ann@example.test',
  paymentPayerAddress: '1 Example Street',
  paymentPayerMobile: PAYER_MOBILE,
};

const RECURRING = {
  recurringMerchantId: 'M-1000',
  recurringIntervalId: '1',
  recurringIntervalName: 'Monthly',
  recurringReference: 'SUBSCRIPTION-1',
  recurringDescription: 'Subscription',
  recurringStartDate: '2026-03-02',
  recurringExpiryDate: '2026-12-31',
  recurringCurrency: 'USD',
  recurringAmount: '15.00',
  recurringPaymentProfileId: 1,
  recurringPaymentAccountId: 7,
};

async function payOnEveryChannel(calls, order) {
  await calls.authenticate();
  for (const channel of CHANNELS) {
    await calls.merchant('POST', '/sandbox/init/authenticate/merchant/wallet', payment(channel, `${order}-${channel}`));
    const query = new URLSearchParams({ transactionReference: `${order}-${channel}`, walletName: channel });
    await calls.merchant('GET', `/sandbox/api/getPaymentDetails?${query}`);
  }
}

async function splitAndPayOut(calls) {
  await calls.merchant('POST', '/sandbox/init/authenticate/merchant/bulkWallet', {
    ...payment('WALLET_QR', 'SPLIT-1'),
    dynamicPaidList: [
      { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 60 },
      { dynamicMerchantId: 'M-1002', dynamicPayoutPercentage: 40 },
    ],
  });
  await calls.merchant('POST', '/sandbox/init/authenticate/merchant/bulkPayment', PAYOUT);
}

async function subscribe(calls) {
  const { paymentToken } = await calls.send(
    'POST',
    '/sandbox/api/requestPaymentToken',
    { merchantId: 'M-1000', paymentTokenReferenceRequest: 'TOKEN-1' },
    calls.bearer,
  );
  const order = { ...RECURRING, recurringPaymentToken: paymentToken };
  await calls.send('POST', '/sandbox/api/addRecurringPayment', order, calls.bearer);
}

/** Creates a link, follows its page, and pays by its form. Returns a function that stops following it. */
async function payByLink(calls) {
  const form = new FormData();
  for (const [name, value] of Object.entries(LINK)) {
    form.append(name, value);
  }
  form.append('paymentLinkImage', new Blob([PICTURE], { type: 'image/png' }), 'picture.png');
  const saved = await calls.raw('/api/merchant/sandbox/fastCheckOut', {
    method: 'POST',
    headers: calls.bearer,
    body: form,
  });
  const { paymentLinkToken } = saved.paymentLink;
  const page = await calls.raw(`/pay/link/${paymentLinkToken}`, { method: 'GET' });
  const formToken = /name="formToken" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const stop = calls.listen(`/pay/versions/link/${paymentLinkToken}`);
  await calls.form(`/pay/link/${paymentLinkToken}`, { formToken, channel: 'qr-wallet', currency: 'USD' });
  return stop;
}

async function lookAtPages(calls) {
  const { items } = await calls.control('GET', '/payments');
  for (const { paymentCode } of items.filter((each) => each.paymentCode)) {
    await calls.raw(`/pay/approve/${paymentCode}`, { method: 'GET' });
  }
  await calls.raw(`/pay/phone/${PAYER_MOBILE}`, { method: 'GET' });
}

async function readAll(calls) {
  for (const path of READS) {
    await calls.control('GET', path);
  }
  const state = await calls.control('GET', '/state');
  await calls.control('PUT', '/state', state);
}

function endpointsAt(receiver, ...kinds) {
  return { endpoints: kinds.map((kind) => ({ url: `${receiver}/${kind}` })) };
}

/** A test that moves its own clock through charges, expiries and every retry, and resets between its cases. */
export async function moveThroughMonths(calls, receiver, name) {
  await calls.control('POST', '/sessions', { name, now: START, seed: 'soak', scenario: 'auto-approve' });
  await calls.control('PUT', '/webhooks/endpoints', endpointsAt(receiver, 'ok', 'failing'));
  const stop = calls.listen('/_sandbox/events?since=0');
  await payOnEveryChannel(calls, 'FIRST');
  await splitAndPayOut(calls);
  await subscribe(calls);
  const stopFollowing = await payByLink(calls);
  await lookAtPages(calls);
  await calls.control('POST', '/clock/advance', { by: 'P35D' });
  await readAll(calls);
  await calls.control('POST', '/reset');
  await payOnEveryChannel(calls, 'SECOND');
  await calls.control('POST', '/clock/run-until-idle');
  await stop();
  await stopFollowing();
  await calls.control('DELETE', `/sessions/${name}`);
}

/** A test with the real clock, whose session is deleted during notifications to a receiver that never answers. */
export async function leaveInTheMiddle(calls, receiver, name) {
  await calls.control('POST', '/sessions', { name });
  await calls.control('PUT', '/scenarios/at-once', {
    name: 'at-once',
    description: '',
    rules: [{ settle: { outcome: 'Paid', after: 'PT0S' } }],
  });
  await calls.control('PUT', '/scenario', { name: 'at-once' });
  await calls.control('PUT', '/webhooks/endpoints', endpointsAt(receiver, 'ok', 'failing', 'hanging'));
  // Ended by the sandbox, together with its session.
  calls.listen('/_sandbox/events');
  await payOnEveryChannel(calls, 'ORDER');
  await splitAndPayOut(calls);
  await readAll(calls);
  await calls.control('DELETE', `/sessions/${name}`);
}

export async function useDefaultSession(calls, receiver) {
  await calls.control('PUT', '/webhooks/endpoints', endpointsAt(receiver, 'ok', 'hanging'));
  await payOnEveryChannel(calls, 'ORDER');
  await calls.control('GET', '/openapi.json');
  await readAll(calls);
  await calls.control('POST', '/reset');
}
