import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { post, single, tokenOf } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'known' });
});
afterAll(() => sandbox.close());

/** Initiates a payment, and opens its page. Returns the page and the token of its form. */
async function initiateAndOpen(url = sandbox.url) {
  const { body } = await post('/init/authenticate/merchant/wallet', single(), url);
  const page = `/pay/approve/${body.paymentInitiationResponse.paymentCode}`;
  const { text } = await request(url).get(page);
  const formToken = /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { page, formToken };
}

const approve = (page: string, formToken: string, headers: Record<string, string> = {}) =>
  request(sandbox.url).post(page).set(headers).type('form').send({ action: 'approve', formToken });

describe('the form of a page', () => {
  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'http://evil.test' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'http://[' },
  ])('is refused if another site sends it (%j)', async (headers) => {
    const { page, formToken } = await initiateAndOpen();
    const { status, type } = await approve(page, formToken, { ...headers });
    expect([status, type]).toEqual([403, 'text/html']);
  });

  it.each([{}, { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, { Origin: 'null' }])(
    'is accepted if the page sends it (%j)',
    async (headers) => {
      const { page, formToken } = await initiateAndOpen();
      expect((await approve(page, formToken, { ...headers })).status).toBe(303);
    },
  );

  it('cannot be forged by an attacker that knows the seed, the session and the payment', async () => {
    const { page } = await initiateAndOpen();
    for (const step of ['approve', 'pay', 'decide']) {
      const forged = createHmac('sha256', 'merchant-sandbox form known default')
        .update(`payment-1 ${step}`)
        .digest('base64url');
      expect((await approve(page, forged)).status).toBe(403);
    }
  });

  it('has a different token in every installation, and the same one after a restart', async () => {
    const data = join(newFolder(), 'state.json');
    const now = Date.parse('2026-03-01T10:00:00Z');
    const first = await startSandbox({ data, now });
    const { page, formToken } = await initiateAndOpen(first.url);
    await first.close();
    const restarted = await startSandbox({ data, now });
    const { text } = await request(restarted.url).get(page);
    await restarted.close();
    expect(text).toContain(formToken);
    const other = await startSandbox({ now });
    expect((await initiateAndOpen(other.url)).formToken).not.toBe(formToken);
    await other.close();
    expect(statSync(`${data}.key`).mode & 0o777).toBe(0o600);
    expect(readFileSync(data, 'utf8')).not.toContain(readFileSync(`${data}.key`, 'utf8').trim());
  });
});

it.each([
  '/param/paymentIntervals',
  '/_sandbox/clock',
  '/_sandbox/events',
  '/pay/phone',
  '/pay/versions/phone/1',
  '/nothing',
])('a page of another site creates no session by requesting %s', async (path) => {
  const base = sandbox.sessionUrl('made-by-others');
  const { status } = await request(base).get(path).set('Sec-Fetch-Site', 'cross-site');
  expect([403, 404]).toContain(status);
  const { body } = await request(sandbox.url).get('/_sandbox/sessions');
  expect(body.items.map(({ name }: { name: string }) => name)).not.toContain('made-by-others');
});

it('the request log masks tokens in requests and in answers', async () => {
  const base = sandbox.sessionUrl('secrets');
  const token = await tokenOf(base);
  await request(base).get(`/param/paymentIntervals?token=${token}`).set('Authorization', `Bearer ${token}`);
  const answer = await post('/init/authenticate/merchant/wallet', single(), base);
  const log = (await request(base).get('/_sandbox/requests')).text;
  for (const secret of [token, answer.body.auth.token, 'test-api-key-1000', 'test-merchant-key-1000']) {
    expect(secret).toMatch(/.{10}/);
    expect(log).not.toContain(secret);
  }
});
