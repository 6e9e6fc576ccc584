const MERCHANT = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
};

async function post(address: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...MERCHANT, ...body }),
  });
  return JSON.parse(await answer.text());
}

/** The integration under test, as a shop might write it: one payment on the QR wallet. */
export async function payForOrder(baseUrl: string, order: string): Promise<void> {
  await post(`${baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
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

export async function statusOfOrder(baseUrl: string, order: string): Promise<string | undefined> {
  const { token } = await post(`${baseUrl}/auth/authenticate/merchant`, {});
  const query = new URLSearchParams({ transactionReference: order, walletName: 'WALLET_QR' });
  const answer = await fetch(`${baseUrl}/sandbox/api/getPaymentDetails?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(await answer.text()).status;
}
