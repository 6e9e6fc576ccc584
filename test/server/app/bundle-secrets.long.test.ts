import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { parseBundle } from '../../../src/server/histories/bundle.ts';
import { single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';
import { openBundle } from './open-bundle.ts';

const temporaryFolder = temporaryFolders();
const NOW = '2026-03-01T10:00:00Z';
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';
const [CARD, OTHER_CARD] = ['5555555555554444', '4012888888881881'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ merchants: 'open', now: Date.parse(NOW) });
});
afterAll(() => sandbox.close());

let secretCount = 0;
const newSecret = (): string => {
  secretCount += 1;
  return `planted${secretCount}x7Qw3Zt9Lk5Vb`;
};
const endpointSecret = (): string => `whsec_${Buffer.from(newSecret().padEnd(30, 'p')).toString('base64')}`;
const credentialsWith = (secret: string) => ({
  merchantId: 'M-7777',
  merchantApiKey: secret,
  merchantKey: `${secret}-2`,
});
const pay = ({ baseUrl }: SandboxClient, members: object = {}, headers: Record<string, string> = {}) =>
  request(baseUrl).post(INITIATE).set(headers).send(single(members));

/** A receiver that answers with a secret in its body and in a header. */
async function receiverWithSecret(secret: string) {
  return startReceiver((_call, response) => {
    response.setHeader('x-internal-token', secret);
    response.end(JSON.stringify({ password: secret }));
  });
}

async function notify(session: SandboxClient, url: string, secret?: string): Promise<void> {
  await session.setEndpoints([{ url, ...(secret === undefined ? {} : { secret }) }]);
  await pay(session, { payerReference: 'ORDER-1' });
  await session.settle('ORDER-1', 'Paid');
  await session.runUntilIdle();
}

const scenarioMatching = (secret: string) => ({
  name: 'mine',
  description: 'Rules of a test.',
  rules: [
    {
      when: { operation: 'initiatePayment', body: { properties: { merchantKey: { const: secret } } } },
      settle: { outcome: 'Paid', after: 'PT1S' },
    },
  ],
});

/** Places that can contain a secret, each with a function that puts it there. */
const PLACES: Readonly<Record<string, (session: SandboxClient, secret: string) => Promise<unknown>>> = {
  'the keys of a merchant that registered itself': (session, secret) => pay(session, credentialsWith(secret)),
  'a wrong key': async (session, secret) => {
    await pay(session, credentialsWith('right-key'));
    await pay(session, credentialsWith(secret));
  },
  'an Authorization header': (session, secret) => pay(session, {}, { Authorization: `Bearer ${secret}` }),
  'a header with an API key': (session, secret) => pay(session, {}, { 'X-Api-Key': secret }),
  'a query': ({ baseUrl }, secret) => request(baseUrl).post(`${INITIATE}?apiKey=${secret}`).send(single()),
  'a description that is an address': (session, secret) =>
    pay(session, { paymentDescription: `https://shop.test/?access_token=${secret}` }),
  'a name that is a header': (session, secret) => pay(session, { payerName: `Bearer ${secret}` }),
  'a body that is not JSON': ({ baseUrl }, secret) =>
    request(baseUrl).post(INITIATE).set('Content-Type', 'application/json').send(`{"merchantKey":"${secret}",`),
  'a body that is not JSON and does not name the key': async (session, secret) => {
    await pay(session, credentialsWith(secret));
    await request(session.baseUrl).post(INITIATE).set('Content-Type', 'application/json').send(`"${secret}-2""}`);
  },
  'the rules of a scenario': (session, secret) => session.defineScenario(scenarioMatching(secret)),
  'the address of an endpoint': async (session, secret) => {
    const receiver = await startReceiver();
    await notify(session, `${receiver.url}?token=${secret}`);
    await receiver.close();
  },
  'the answer of a receiver': async (session, secret) => {
    const receiver = await receiverWithSecret(secret);
    await notify(session, receiver.url);
    await receiver.close();
  },
};

/** A bundle whose history begins before the secret is sent, and one whose first state contains it. */
async function bundlesWith(plant: (session: SandboxClient) => Promise<unknown>): Promise<string[]> {
  const name = `planted-${newSecret()}`;
  const session = await sandbox.client.createSession(name);
  await plant(session);
  const first = await session.bundle();
  const fork = await sandbox.client.fork(name, { as: `${name}-fork` });
  expect(fork.forkedFrom?.session).toBe(name);
  return [first, await sandbox.session(`${name}-fork`).bundle()];
}

async function expectOpened(text: string): Promise<void> {
  await (await openBundle(text)).close();
}

describe('a bundle of a session, and of its fork,', () => {
  it.each(Object.entries(PLACES))('contains no secret that was in %s', async (_title, plant) => {
    const secret = newSecret();
    for (const text of await bundlesWith((session) => plant(session, secret))) {
      expect(text).not.toContain(secret);
      await expectOpened(text);
    }
  });

  it('contains neither the present secret of an endpoint nor an earlier one', async () => {
    const receiver = await startReceiver();
    const [one, other] = [endpointSecret(), endpointSecret()];
    const texts = await bundlesWith(async (session) => {
      await notify(session, receiver.url, one);
      await session.setEndpoints([{ url: receiver.url, secret: other }]);
    });
    await receiver.close();
    for (const text of texts) {
      expect([text.includes(one), text.includes(other)]).toEqual([false, false]);
      await expectOpened(text);
    }
  });

  it('contains no card number that was in a name, a description or a reference', async () => {
    const texts = await bundlesWith((session) =>
      pay(session, { payerName: CARD, paymentDescription: `card ${OTHER_CARD}`, payerReference: CARD }),
    );
    for (const text of texts) {
      expect([text.includes(CARD), text.includes(OTHER_CARD)]).toEqual([false, false]);
      await expectOpened(text);
    }
  });

  it('contains no card number that is in the name of the parent session', async () => {
    await sandbox.client.createSession(CARD);
    await sandbox.client.fork(CARD, { as: 'of-a-card' });
    expect(await sandbox.session('of-a-card').bundle()).not.toContain(CARD);
  });

  it('contains the published keys of the shipped merchants, which also work after it is opened', async () => {
    const [text = ''] = await bundlesWith((session) => pay(session));
    const { manifest } = await parseBundle(text);
    const openedSandbox = await openBundle(text);
    expect((await pay(openedSandbox.session(manifest.session), { payerReference: 'ORDER-2' })).status).toBe(200);
    await openedSandbox.close();
  });

  it('distinguishes two endpoints whose addresses differ only in their secrets', async () => {
    const receiver = await startReceiver();
    const session = await sandbox.client.createSession('two-endpoints');
    await session.setEndpoints(['a', 'b'].map((token) => ({ url: `${receiver.url}?token=${token}-of-mine` })));
    await sandbox.client.fork('two-endpoints', { as: 'two-queues' });
    const openedSandbox = await openBundle(await sandbox.session('two-queues').bundle());
    const { endpoints } = await openedSandbox.session('two-queues').endpoints();
    expect(new Set(endpoints.map(({ url }) => url)).size).toBe(2);
    await openedSandbox.close();
    await receiver.close();
  });
});

it('a bundle contains no keys or endpoint secrets of custom fixtures, and can be opened', async () => {
  const fixtures = temporaryFolder();
  const [key, secret] = [newSecret(), endpointSecret()];
  const { merchants } = sandbox.fixtures.merchants;
  const [first] = merchants;
  const webhooks = [{ url: 'http://127.0.0.1:9/hook', secret }];
  const fixtureFile = {
    newcomer: sandbox.fixtures.merchants.newcomer,
    merchants: [{ ...first, merchantKey: key, webhooks }],
  };
  writeFileSync(join(fixtures, 'merchants.json'), JSON.stringify(fixtureFile));
  writeFileSync(join(fixtures, 'times.json'), '\uFEFF{"accessTokenLifetime":"PT1M"}\r\n');
  const other = await startSandbox({ fixtures, now: Date.parse(NOW) });
  expect((await pay(other.client, { merchantKey: key })).status).toBe(200);
  await other.client.settle('payment-1', 'Paid');
  // In a text that is not JSON, the key can be recognized only by its value.
  const broken = request(other.url).post(INITIATE).set('Content-Type', 'application/json');
  expect((await broken.send(`"${key}""}`)).status).toBe(400);
  const text = await other.client.bundle();
  await other.close();
  expect([text.includes(key), text.includes(secret)]).toEqual([false, false]);
  await expectOpened(text);
});
