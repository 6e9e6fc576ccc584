import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { fieldsOf, pay, textById } from './visits.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const MOBILE = '263770000001';

describe('the page of a phone', () => {
  it('shows a payment whose request has the number with the prefix 00', async () => {
    const session = sandbox.session('with-zeros');
    await session.reset();
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: `00${MOBILE}` });
    const { text } = await request(session.baseUrl).get(`/pay/phone/00${MOBILE}`).expect(200);
    expect(text).toContain('data-testid="prompts"');
  });

  it.each([
    MOBILE,
    `+${MOBILE}`,
    `%2B${MOBILE}`,
    `00${MOBILE}`,
    '+263%2077%20000%200001',
    '263-77-000-0001',
    '(263)770000001',
    ` ${MOBILE} `,
  ])('is found at /pay/phone/%s, and accepts a PIN there', async (spelling) => {
    const session = sandbox.session('spelled');
    await session.reset();
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    const path = `/pay/phone/${encodeURI(spelling).replaceAll('%25', '%')}`;
    const { text } = await request(session.baseUrl).get(path).redirects(1);
    expect(textById(text, 'mobile')).toBe(MOBILE);
    const { status } = await request(session.baseUrl)
      .post(path)
      .type('form')
      .send({ ...fieldsOf(text), pin: '1234', action: 'confirm' });
    expect([status, (await session.payment('payment-1')).state]).toEqual([303, 'Paid']);
  });

  it('reports a wrong PIN at the prompt that it was for, and no other', async () => {
    const session = sandbox.session('mistyped');
    await session.reset();
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    const path = `/pay/phone/${MOBILE}`;
    const { text: html } = await request(session.baseUrl).get(path);
    const [, older = ''] = html.split('data-testid="prompt-payment-1"');
    const { status, text } = await request(session.baseUrl)
      .post(path)
      .type('form')
      .send({ ...fieldsOf(older), pin: '9999', action: 'confirm' });
    const [newest, answered = ''] = text.split('data-testid="prompt-payment-1"');
    expect([status, textById(answered, 'problem')]).toEqual([
      422,
      'Wrong PIN: it is 1234 here. You have 2 tries left.',
    ]);
    expect(newest).not.toContain('data-testid="problem"');
  });

  it('shows its times in UTC', async () => {
    const session = sandbox.session('timed');
    await session.freeze('2099-03-01T10:00:00.000Z');
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    const { text } = await request(session.baseUrl).get(`/pay/phone/${MOBILE}`);
    expect(text.match(/\d\d:\d\d UTC/g)).toEqual(['10:00 UTC', '10:00 UTC']);
  });

  it('is replaced by the page that asks for a number if the path has no digit', async () => {
    const { headers } = await request(sandbox.url).get('/pay/phone/+');
    expect(headers['location']).toBe('/pay/phone');
  });

  it('counts the older payments that wait, or says at least how many there are', async () => {
    const session = sandbox.session('crowded');
    const prompts = async () => (await request(session.baseUrl).get(`/pay/phone/${MOBILE}`)).text;
    const times = (count: number) => Array.from({ length: count });
    for (const _ of times(25)) {
      await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    }
    expect(await prompts()).toContain('5 older payments are waiting, too.');
    for (const _ of times(200)) {
      await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    }
    expect(await prompts()).toContain('180 or more older payments are waiting, too.');
  });
});
