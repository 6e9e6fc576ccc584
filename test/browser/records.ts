import type { SandboxClient } from '../../src/client/client.ts';
import { post, tokenOf } from '../interface/calls.ts';
import { exampleOf } from '../interface/examples.ts';
import { createLink, pay } from '../server/payer-pages/visits.ts';

/** Makes a call with two mistakes, which the sandbox refuses. */
export async function makeRefusedCall({ baseUrl }: SandboxClient): Promise<void> {
  const { payerName: _, ...members } = exampleOf('requests/single-payment', { amount: 10, payerReference: 'ORDER-1' });
  await post('/sandbox/init/authenticate/merchant/wallet', members, baseUrl);
}

export async function makePayout({ baseUrl }: SandboxClient, members: object = {}): Promise<void> {
  await post('/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout', { ...members }), baseUrl);
}

/** Creates a token, and a recurring payment that charges it from the next day on. */
export async function makeRecurringPayment({ baseUrl }: SandboxClient): Promise<void> {
  const token = await tokenOf(baseUrl);
  const { body } = await post('/api/requestPaymentToken', exampleOf('requests/payment-token'), baseUrl, token);
  const recurring = exampleOf('requests/recurring-payment', {
    recurringPaymentToken: body.paymentToken,
    recurringStartDate: '2026-03-02',
  });
  await post('/api/addRecurringPayment', recurring, baseUrl, token);
}

export function makeShopCode(session: SandboxClient): Promise<unknown> {
  return session.call('POST', '/shop-codes', { merchantId: 'M-1000', reference: 'TILL-1', currency: 'USD' });
}

/** Creates records of each kind, with calls and notifications about them. */
export async function createRecords(session: SandboxClient, receiverUrl: string): Promise<void> {
  await session.setEndpoints([{ url: receiverUrl }]);
  await pay(session, { payerReference: 'ORDER-1', amount: '1249.90' });
  await session.settle('ORDER-1', 'Failed');
  await pay(session, { payerReference: 'ORDER-2' });
  await makeRefusedCall(session);
  await makePayout(session, { payerReference: 'PAYOUT-1' });
  await createLink(session);
  await makeShopCode(session);
  await makeRecurringPayment(session);
}
