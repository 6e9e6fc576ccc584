import request from 'supertest';
import type {
  EndpointSecret,
  EndpointsView,
  EventView,
  MerchantCredentials,
} from '../../../src/base/schema/generated/control.ts';
import { post, single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true, webhookUrl: 'http://127.0.0.1:9/setting' });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`secrets-${sessions}`);
}

it('the control API reveals working keys of a merchant, and records an event without them', async () => {
  const session = newSession();
  const credentials = await session.call<MerchantCredentials>('POST', '/merchants/M-1001/credentials');
  expect(await post(WALLET, single({ ...credentials }), session.baseUrl)).toMatchObject({ status: 200 });
  const token = await request(session.baseUrl).post('/auth/authenticate/merchant').send(credentials);
  expect(token.status).toBe(200);
  const { items } = await session.list<{ id: string }>('event-log', { type: 'secret.revealed' });
  expect(items).toMatchObject([
    { collection: 'merchants', subjectId: 'M-1001', requestId: null, data: { what: 'merchant credentials' } },
  ]);
  expect(JSON.stringify(items)).not.toContain(credentials.merchantKey);
});

it('the control API reveals the keys of a merchant that registered itself', async () => {
  const session = newSession();
  const newcomer = { merchantId: 'M-77', merchantApiKey: 'some-key', merchantKey: 'some-other-key' };
  await post(WALLET, single(newcomer), session.baseUrl);
  expect(await session.call('POST', '/merchants/M-77/credentials')).toEqual(newcomer);
});

it('the control API masks the secrets of endpoints on request, and reveals each of them', async () => {
  const session = newSession();
  await session.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/own' }] });
  const shown = await session.call<EndpointsView>('GET', '/webhooks/endpoints');
  const masked = await session.call<EndpointsView>('GET', '/webhooks/endpoints?secrets=false');
  expect(masked.endpoints.map(({ id, secret }) => [id, secret])).toEqual([
    ['endpoint-1', '***'],
    ['endpoint-setting', '***'],
  ]);
  for (const { id, url, secret } of shown.endpoints) {
    const revealed = await session.call<EndpointSecret>('POST', `/webhooks/endpoints/${id}/secret`);
    expect(revealed).toEqual({ id, url, secret });
  }
  const { items } = await session.list<EventView & { id: never }>('event-log', { type: 'secret.revealed' });
  expect(items.map(({ subjectId, data }) => [subjectId, data])).toEqual([
    ['endpoint-setting', { what: 'endpoint secret' }],
    ['endpoint-1', { what: 'endpoint secret' }],
  ]);
});

it('the control API refuses to reveal secrets of an unknown merchant or endpoint, and creates no session for the call', async () => {
  const session = newSession();
  await session.call('PUT', '/scenario', { name: 'auto-approve' });
  await expect(session.call('POST', '/merchants/M-9/credentials')).rejects.toThrow('there is no merchant "M-9"');
  await expect(session.call('POST', '/webhooks/endpoints/endpoint-9/secret')).rejects.toThrow(
    'no endpoint "endpoint-9"',
  );
  const { status } = await request(sandbox.url).post('/s/nobody/_sandbox/merchants/M-1000/credentials');
  expect(status).toBe(404);
});
