// Drives a sandbox through the types of openapi-typescript, and prints the results.
import createClient from 'openapi-fetch';
import type { paths } from './made/schema.ts';
import { CHANNELS, CREDENTIALS, LINK, ORDER, SPLIT } from './order.ts';

const [baseUrl = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

const { data: access } = await client.POST('/auth/authenticate/merchant', { body: CREDENTIALS });
const statuses: (string | undefined)[] = [];
for (const channel of CHANNELS) {
  const { data } = await client.POST('/sandbox/init/authenticate/merchant/wallet', {
    body: { ...ORDER, ...channel, payerReference: channel.walletName },
    params: { header: { 'X-Sandbox-Scenario': 'payer-decides' } },
  });
  statuses.push(data?.paymentInitiationResponse.status);
}
const { data: split } = await client.POST('/sandbox/init/authenticate/merchant/wallet', {
  body: { ...ORDER, ...CHANNELS[0], walletName: 'WALLET_QR', payerReference: 'SPLIT', dynamicPaidList: SPLIT },
});
const { data: link } = await client.POST('/api/merchant/sandbox/fastCheckOut', {
  headers: { authorization: `Bearer ${access?.token}` },
  body: LINK,
  bodySerializer(body) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) {
      form.set(name, value);
    }
    return form;
  },
});
const { error } = await client.POST('/auth/authenticate/merchant', { body: { ...CREDENTIALS, merchantKey: 'wrong' } });

await client.POST('/_sandbox/payments/{id}/settle', {
  params: { path: { id: 'WALLET_QR' } },
  body: { outcome: 'Paid', code: '00' },
});
const { data: paid } = await client.GET('/_sandbox/payments', { params: { query: { state: 'Paid', limit: 10 } } });
const { data: clock } = await client.PUT('/_sandbox/clock', { body: { mode: 'frozen', now: '2026-03-01T10:00:00Z' } });
const { error: missing } = await client.GET('/_sandbox/payments/{id}', { params: { path: { id: 'nothing' } } });
const { data: state } = await client.GET('/_sandbox/state');
const restored = state && (await client.PUT('/_sandbox/state', { body: state }));
const { response: cleared } = await client.DELETE('/_sandbox/requests');

console.log(
  JSON.stringify({
    reads: [typeof access],
    statuses,
    split: split?.paymentInitiationResponse.status,
    image: link?.paymentLink.paymentLinkImageUrl.replace(baseUrl, ''),
    refused: error?.errorResponse.statusCode,
    paid: paid?.items.map(({ payerReference, amount }) => `${payerReference} ${amount}`),
    clock: clock?.now,
    missing: missing?.title,
    restored: restored?.response.status,
    cleared: cleared.status,
  }),
);
