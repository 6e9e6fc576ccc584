import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { createLink, fieldsOf, payLink, submit, textById } from './visits.ts';

const temporaryFolder = temporaryFolders();
let sandbox: Sandbox;

beforeAll(async () => {
  const fixtures = temporaryFolder();
  const times = { createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' };
  const euro = { id: 2, currencyName: 'Euro', currencyCode: 'EUR', currencySymbol: '€', ...times };
  const pound = { id: 3, currencyName: 'Pound', currencyCode: 'GBP', currencySymbol: '£', ...times };
  writeFileSync(join(fixtures, 'currencies.json'), JSON.stringify({ currencies: [euro, pound] }));
  const fee = { feesMarkUp: 2, feesServiceProviderFee: 2, feesGatewayFee: 2, feesMinAmount: 0.01, feesMaxAmount: 1000 };
  const dates = { feesStartDate: '2024-01-01T00:00:00.000+02:00', feesEndDate: '2099-12-31T00:00:00.000+02:00' };
  const ids = { id: 20, feesMerchantId: 'DEFAULT', feesPaymentMethod: 1, feesCurrencyId: 2, feesUserId: 'DEFAULT' };
  const euroFee = { channel: 'qr-wallet', ...ids, ...fee, ...dates, feesStatus: true };
  writeFileSync(join(fixtures, 'fees.json'), JSON.stringify({ fees: [euroFee] }));
  sandbox = await startSandbox({ fixtures, now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

it("a link page is prefilled with known details of the payer, and keeps the payer's changes", async () => {
  const session = sandbox.session('payer');
  const link = await createLink(session, { paymentPayerAddress: '1 Example Street\nExampleton' });
  const { text } = await request(link).get('');
  for (const value of ['Ann Payer', 'ann@example.test', '263770000001']) {
    expect(text).toContain(`value="${value}"`);
  }
  expect(textById(text, 'payer-address')).toBe('1 Example Street\nExampleton');
  await payLink(session, link, { name: 'Bo Buyer', email: 'bo@example.test', address: '2 Other Road' });
  expect(await session.payment('payment-1')).toMatchObject({
    payerName: 'Bo Buyer',
    payerContact: { emailAddress: 'bo@example.test', address: '2 Other Road' },
  });
});

it('an invalid e-mail address is refused, and the input is kept', async () => {
  const session = sandbox.session('e-mail');
  const link = await createLink(session);
  const { status, text } = await submit(session, link, {
    email: 'bo',
    address: '2 Other Road',
    channel: 'card-switch',
  });
  expect([status, textById(text, 'problem'), textById(text, 'payer-address')]).toEqual([
    422,
    'Enter an e-mail address such as ann@example.test, or leave it empty.',
    '2 Other Road',
  ]);
  expect(text).toMatch(/<input[^>]*value="card-switch"[^>]*checked/);
});

it('a link page offers other currencies if the merchant allows them, and the chosen one is paid', async () => {
  const session = sandbox.session('currencies');
  const [own, all] = [
    await createLink(session, { paymentLinkOtherCurrencies: 'false' }),
    await createLink(session, { paymentLinkOtherCurrencies: 'true' }),
  ];
  const offered = async (link: string) =>
    [...(await request(link).get('')).text.matchAll(/<option[^>]*value="(\w+)"/g)].map(([, code]) => code);
  expect([await offered(own), await offered(all)]).toEqual([[], ['USD', 'EUR', 'GBP']]);
  const refused = await submit(session, own, { currency: 'EUR' });
  expect([refused.status, textById(refused.text, 'problem')]).toEqual([
    422,
    'This link cannot be paid in that currency. Choose USD.',
  ]);
  await payLink(session, all, { currency: 'EUR' });
  expect(await session.payment('payment-1')).toMatchObject({ amount: '25.00', currency: 'EUR' });
});

it('a currency or amount for which no fee is configured is refused in words that a payer understands', async () => {
  const session = sandbox.session('fees');
  const link = await createLink(session, {
    paymentLinkOtherCurrencies: 'true',
    paymentLinkType: 'OPEN_DYNAMIC_AMOUNT',
  });
  const pound = await submit(session, link, { currency: 'GBP', amount: '10.00' });
  expect([pound.status, textById(pound.text, 'problem')]).toEqual([
    422,
    'QR wallet does not take GBP. Choose another currency or another way to pay.',
  ]);
  expect(textById(pound.text, 'reason')).toContain('For the developer: ');
  const much = await submit(session, link, { currency: 'EUR', amount: '1000.01' });
  expect(textById(much.text, 'problem')).toBe(
    'QR wallet does not take this amount. Enter another amount or choose another way to pay.',
  );
  expect((await session.payments()).items).toEqual([]);
});

describe('the form of a link', () => {
  it.each(['ONCE_OFF_FIXED', 'OPEN_FIXED_AMOUNT', 'OPEN_DYNAMIC_AMOUNT'])(
    'that is sent again, simultaneously or later, redirects to the same payment of a link of type %s',
    async (paymentLinkType) => {
      const session = sandbox.session(`sent-twice-${paymentLinkType}`);
      const link = await createLink(session, { paymentLinkType });
      const fields = fieldsOf((await request(link).get('')).text);
      const send = () =>
        request(link)
          .post('')
          .type('form')
          .send({ ...fields, amount: '10.00' });
      const atOnce = await Promise.all(Array.from({ length: 8 }, send));
      expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([303]));
      expect(new Set(atOnce.map(({ headers }) => headers['location'])).size).toBe(1);
      expect((await session.payments()).items).toHaveLength(1);
      await session.settle('payment-1', 'Paid');
      expect((await send()).headers['location']).toBe(atOnce[0]?.headers['location']);
      expect((await session.payments()).items).toHaveLength(1);
    },
  );

  it('initiates a payment after a refusal, and another one if the link is opened again', async () => {
    const session = sandbox.session('opened-twice');
    const link = await createLink(session);
    const fields = fieldsOf((await request(link).get('')).text);
    const refused = await request(link)
      .post('')
      .type('form')
      .send({ ...fields, email: 'nobody' });
    expect(refused.status).toBe(422);
    await request(link).post('').type('form').send(fields);
    await payLink(session, link, {});
    expect((await session.payments()).items).toHaveLength(2);
  });

  it('is refused if its token was invented', async () => {
    const session = sandbox.session('made-up');
    const link = await createLink(session);
    const fields = fieldsOf((await request(link).get('')).text);
    const [, proof] = (fields['formToken'] ?? '').split('.');
    for (const formToken of [`another.${proof}`, proof, `.${proof}`, `${fields['formToken']}x`]) {
      const { status } = await request(link)
        .post('')
        .type('form')
        .send({ ...fields, formToken });
      expect(status).toBe(403);
    }
    expect((await session.payments()).items).toEqual([]);
  });
});
