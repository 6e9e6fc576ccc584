// The integration under test: a shop that has its orders paid by the QR wallet.
const MERCHANT = { merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' };

async function post(address, body) {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...MERCHANT, ...body }),
  });
  return JSON.parse(await answer.text());
}

/** Asks for the payment of an order. `paymentsUrl` is the payments service, or its stand-in. */
export async function payForOrder(paymentsUrl, order) {
  await post(`${paymentsUrl}/sandbox/init/authenticate/merchant/wallet`, {
    walletName: 'WALLET_QR',
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: `Order ${order}`,
    payerName: 'Ann Payer',
    payerReference: order,
    payerAccountId: 7,
    profileId: 1,
  });
}

export async function statusOfOrder(paymentsUrl, order) {
  const { token } = await post(`${paymentsUrl}/auth/authenticate/merchant`, {});
  const query = new URLSearchParams({ transactionReference: order, walletName: 'WALLET_QR' });
  const answer = await fetch(`${paymentsUrl}/sandbox/api/getPaymentDetails?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(await answer.text()).status;
}
