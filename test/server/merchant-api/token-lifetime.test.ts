import request from 'supertest';
import { MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

it.each([
  ['of times.json', {}, 401],
  ['of the rule', { tokenLifetime: 'P2D' }, 404],
])('an access token has the lifetime %s', async (_title, rule, status) => {
  const session = sandbox.session(`token-${status}`);
  await session.useRules([{ when: { operation: 'getAccessToken' }, ...rule }]);
  const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
  await session.advance('P1D');
  const answer = await request(session.baseUrl)
    .get('/sandbox/api/getPaymentDetails')
    .query({ transactionReference: 'ORDER-1', walletName: 'WALLET_QR' })
    .set('Authorization', `Bearer ${JSON.parse(text).token}`);
  expect(answer.status).toBe(status);
});
