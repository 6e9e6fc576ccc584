// Drives a sandbox through the client of @hey-api/openapi-ts, and prints the results.
import { client } from './made/hey-api/client.gen.ts';
import * as api from './made/hey-api/index.ts';
import { CHANNELS, CREDENTIALS, LINK, ORDER, SPLIT } from './order.ts';

const [baseUrl = ''] = process.argv.slice(2);
client.setConfig({ baseUrl });
// By default, this client reads by media type, which is text/plain. `parseAs` makes it parse JSON.
const unparsed = await api.getAccessToken({ body: CREDENTIALS });
client.setConfig({ parseAs: 'json' });
const parsed = await api.getAccessToken({ body: CREDENTIALS });

const { data: access } = await api.getAccessToken({ body: CREDENTIALS });
client.setConfig({ auth: access?.token });
const statuses: (string | undefined)[] = [];
for (const channel of CHANNELS) {
  const { data } = await api.initiatePaymentSandbox({
    body: { ...ORDER, ...channel, payerReference: channel.walletName },
    headers: { 'X-Sandbox-Scenario': 'payer-decides' },
  });
  statuses.push(data?.paymentInitiationResponse.status);
}
const { data: split } = await api.initiatePaymentSandbox({
  body: { ...ORDER, walletName: 'WALLET_QR', payerReference: 'SPLIT', dynamicPaidList: SPLIT },
});
const { data: link } = await api.saveFastCheckoutSandbox({ body: LINK });
const { error } = await api.getAccessToken({ body: { ...CREDENTIALS, merchantKey: 'wrong' } });

await api.settlePayment({ path: { id: 'WALLET_QR' }, body: { outcome: 'Paid', code: '00' } });
const { data: paid } = await api.listPayments({ query: { state: 'Paid', limit: 10 } });
const { data: clock } = await api.setClock({ body: { mode: 'frozen', now: '2026-03-01T10:00:00Z' } });
const { error: missing } = await api.getPayment({ path: { id: 'nothing' } });
const { data: state } = await api.getState();
const restored = state && (await api.putState({ body: state }));
const { response: cleared } = await api.clearRequests();

console.log(
  JSON.stringify({
    reads: [unparsed, parsed].map(({ data }) => typeof data),
    statuses,
    split: split?.paymentInitiationResponse.status,
    image: link?.paymentLink.paymentLinkImageUrl.replace(baseUrl, ''),
    refused: error?.errorResponse.statusCode,
    paid: paid?.items.map(({ payerReference, amount }) => `${payerReference} ${amount}`),
    clock: clock?.now,
    missing: missing?.title,
    restored: restored?.response?.status,
    cleared: cleared?.status,
  }),
);
