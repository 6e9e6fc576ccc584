import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { post, saveLink, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let session: SandboxClient;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
  session = sandbox.session('search');
  await session.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/hook' }] });
  const base = session.baseUrl;
  const token = await tokenOf(base);
  const mobile = { walletName: 'WALLET_MOBILE', payerMobile: '263771234567' };
  await post(WALLET, single({ payerReference: 'Shoes-1', amount: '1249.90', payerName: 'Ann (Mary) Payer' }), base);
  await post(
    WALLET,
    single({ payerReference: 'shoes-2', amount: '12.00', payerName: 'Bob-the-Payer', ...mobile }),
    base,
  );
  await post('/sandbox/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout', {}), base, token);
  await saveLink(base, token, '/api/merchant/sandbox/fastCheckOut');
  const tokenOrder = exampleOf('requests/payment-token-with-payment', { payerReference: 'Boots-1' });
  await post('/sandbox/api/requestPaymentTokenAndPay', tokenOrder, base, token);
  await request(base).get('/sandbox/nowhere?note=a-lost-call');
  await session.settle('Shoes-1', 'Paid');
});
afterAll(() => sandbox.close());

const idsMatching = async (list: string, search: string) =>
  (await session.list(list, { search, order: 'oldest' })).items.map(({ id }) => id);

it.each([
  ['a reference, in any letter case', 'SHOES', ['payment-1', 'payment-2']],
  ['an id', 'payment-3', ['payment-3']],
  ['an amount', '1249.9', ['payment-1']],
  ['an amount with a grouping comma', '1,249.90', ['payment-1']],
  ['an amount and a currency', '12.00 usd', ['payment-2']],
  ["words of the payer's name, in any order", 'payer mary', ['payment-1']],
  ['characters that are special in regular expressions', '(mary)', ['payment-1']],
  ['a part of a mobile number', '77123', ['payment-2']],
  ['blanks only, which all payments match,', ' ', ['payment-1', 'payment-2', 'payment-3']],
  ['a text that no payment has', 'sandals', []],
])('search by %s finds exactly the matching payments', async (_title, search, ids) => {
  expect(await idsMatching('payments', search)).toEqual(ids);
});

it('search can be combined with other filters and with paging', async () => {
  const filtered = await session.list('payments', { search: 'shoes', state: 'Paid' });
  expect(filtered.items.map(({ id }) => id)).toEqual(['payment-1']);
  const first = await session.list('payments', { search: 'shoes', limit: '1' });
  const second = await session.list('payments', { search: 'shoes', limit: '1', cursor: String(first.nextCursor) });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['payment-2', 'payment-1']);
  expect(second.nextCursor).toBeNull();
});

it.each([
  ['payouts', 'payout-1', 'salaries 2000000002 40.00'],
  ['links', '1', 'market 25.00 263770000001'],
  ['payment-tokens', 'token-1', 'token-1'],
  ['webhooks/deliveries', 'delivery-1', 'payment.paid 127.0.0.1:9'],
])('search finds records of %s', async (list, id, search) => {
  expect([await idsMatching(list, search), await idsMatching(list, 'no such text')]).toEqual([[id], []]);
});

it('search finds requests by path, body and answer, but not by secrets', async () => {
  const referencesOf = async (search: string) =>
    (await session.list<{ path: string; reference: string | null }>('requests', { search })).items.map(
      ({ reference, path }) => reference ?? path,
    );
  expect(await referencesOf('shoes-2')).toEqual(['shoes-2']);
  expect(await referencesOf('bob-the-payer')).toEqual(['shoes-2']);
  expect(await referencesOf('a-lost-call')).toEqual(['/sandbox/nowhere']);
  expect(await referencesOf('test-merchant-key')).toEqual([]);
});

it('search finds events by type, reference and request', async () => {
  expect(await idsMatching('event-log', 'payment.paid shoes-1')).toHaveLength(1);
  expect(await idsMatching('event-log', 'request-3 payment.created')).toHaveLength(1);
});
