import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { fieldsOf, pay, textById } from './visits.ts';

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

async function openCheckout(members: object = {}) {
  sessionCount += 1;
  const session = sandbox.session(`checkout-${sessionCount}`);
  const { paymentRedirectUrl = '' } = await pay(session, { walletName: 'WALLET_CARD_A', ...members });
  const path = paymentRedirectUrl.replace(session.baseUrl, '');
  const { text } = await request(session.baseUrl).get(path);
  const send = (form: Record<string, string>) =>
    request(session.baseUrl)
      .post('/pay/checkout')
      .type('form')
      .send({ formToken: fieldsOf(text)['formToken'], paymentCode: fieldsOf(text)['paymentCode'], ...form });
  return { session, text, send };
}

const CARD = { cardName: 'Ann Payer', cardNumber: '4000 0000 0000 0010', cardExpiry: '12/40', cardCode: '123' };

const fieldOf = (html: string, id: string) => new RegExp(`<input [^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? '';
const typedIn = (html: string, id: string) => /value="([^"]*)"/.exec(fieldOf(html, id))?.[1];

it.each([
  ['cardNumber', { cardNumber: '4000-0000-0000-0011' }, 'This is not a card number'],
  ['cardNumber', { cardNumber: '5100000000000016' }, 'a card of that network'],
  ['cardNumber', { cardNumber: '4111 1111 1111 1111' }, 'Only test cards work here'],
  ['cardExpiry', { cardExpiry: '01/30' }, 'Enter the expiry 12/40'],
  ['cardCode', { cardCode: '999' }, 'Enter the security code 123'],
])(
  'a wrong %s in %j is refused at that field, and the form keeps all but the security code',
  async (field, members, words) => {
    const { session, send } = await openCheckout();
    const form = { ...CARD, ...members };
    const { status, text } = await send(form);
    expect([status, textById(text, 'problem')]).toEqual([422, expect.stringContaining(words)]);
    const ids = ['cardName', 'cardNumber', 'cardExpiry', 'cardCode'];
    expect(ids.map((id) => typedIn(text, id))).toEqual([form.cardName, form.cardNumber, form.cardExpiry, undefined]);
    expect(ids.filter((id) => fieldOf(text, id).includes('aria-invalid="true"'))).toEqual([field]);
    expect(fieldOf(text, field)).toContain(`aria-describedby="${field}-problem"`);
    expect(text).toMatch(new RegExp(`id="${field}-problem">[^<]*${words}`));
    expect((await session.payment('payment-1')).state).toBe('Processing');
  },
);

it('the content of a refused form is shown as text, and not stored', async () => {
  const { session, send } = await openCheckout();
  const { text } = await send({ ...CARD, cardName: '"><script>alert(1)</script>', cardNumber: '4111111111111111' });
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&quot;>&lt;script>alert(1)');
  const { text: calls } = await request(session.baseUrl).get('/_sandbox/requests');
  expect(calls).toContain('/init/authenticate/merchant/wallet');
  expect(JSON.stringify(await session.state()) + calls).not.toMatch(/4111111111111111|alert/);
});

it('the digits of an amount are grouped on the page, but not in the control API', async () => {
  const { session, text } = await openCheckout({ amount: '1249.90' });
  const amount = /data-testid="amount">(.*?)<\/p>/s.exec(text)?.[1]?.replace(/<[^>]*>/g, '');
  expect(amount).toBe('1,249.90 USD');
  expect((await session.payment('payment-1')).amount).toBe('1249.90');
});

it('test cards have the icons of their outcomes, and a hint with the expiry that all of them accept', async () => {
  const { text } = await openCheckout();
  const icons = [...text.matchAll(/data-testid="test-card-([\w-]+)"[^>]*><svg class="icon (\w+)"/g)].map(
    ([, ...each]) => each,
  );
  expect(Object.fromEntries(icons)).toMatchObject({
    approved: 'check',
    'expired-card': 'cross',
    'challenge-passed': 'check',
    'challenge-failed': 'cross',
    'challenge-abandoned': 'back',
  });
  expect(text).toContain('To type any of these cards, enter the expiry 12/40');
});

it("the bank's page shows only the end of the card number", async () => {
  const { session, send } = await openCheckout();
  const { headers } = await send({ testCard: 'challenge-passed' });
  const { text } = await request(new URL(session.baseUrl).origin).get(headers['location'] ?? '');
  expect(textById(text, 'masked-card')).toBe('•••• 0069');
  expect(text).not.toContain('4000000000000069');
});
