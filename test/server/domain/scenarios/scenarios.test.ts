import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { loadFixtures } from '../../../../src/server/config/fixtures.ts';
import { exampleOf, MERCHANT } from '../../../interface/examples.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const newFolder = temporaryFolders();

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`scenario-${sessions}`);
}

function pay(baseUrl: string, members: object = {}, headers: Record<string, string> = {}) {
  return fetch(baseUrl + WALLET, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...exampleOf('requests/single-payment'), ...members }),
  });
}

describe('a shipped scenario', () => {
  it.each([
    ['payer-decides', 'WALLET_QR', 'Expired', '68'],
    ['auto-approve', 'WALLET_QR', 'Paid', '00'],
    ['declined', 'WALLET_QR', 'Failed', '05'],
    ['declined', 'WALLET_CARD_A', 'Failed', '800.100.151'],
    ['declined', 'WALLET_MOBILE', 'Failed', '14'],
    ['insufficient-funds', 'WALLET_MOBILE', 'Failed', '51'],
    ['insufficient-funds', 'WALLET_SWITCH', 'Failed', '800.100.155'],
    ['wrong-pin', 'WALLET_MOBILE', 'Failed', '55'],
    ['wrong-pin', 'WALLET_CARD_B', 'Failed', '800.100.153'],
    ['payer-cancels', 'WALLET_CARD_A', 'Cancelled', '100.396.101'],
    ['expires', 'WALLET_QR', 'Expired', '68'],
    ['card-test-mode', 'WALLET_CARD_A', 'Paid', '000.100.110'],
    ['lost-webhooks', 'WALLET_QR', 'Paid', '00'],
  ])('%s ends a payment on %s as %s with code %s', async (scenario, walletName, state, code) => {
    const session = newSession();
    await session.useScenario(scenario);
    const mobile = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {};
    expect((await pay(session.baseUrl, { walletName, ...mobile })).status).toBe(200);
    await session.runUntilIdle();
    const payment = await session.payment('payment-1');
    expect([payment.state, payment.history.at(-1)?.code]).toEqual([state, code]);
  });

  it('can change the answer, as qr-alternate and empty-strings do', async () => {
    const session = newSession();
    const alternate = await (await pay(session.baseUrl, {}, { 'x-sandbox-scenario': 'qr-alternate' })).json();
    expect(alternate.paymentInitiationResponse).toMatchObject({
      status: 'Success',
      paymentId: expect.stringMatching(/^[0-9A-F]{32}$/),
      paymentRedirectUrl: expect.stringContaining('/pay/approve/'),
      paymentCode: null,
    });
    const empty = await (
      await pay(session.baseUrl, { walletName: 'WALLET_CARD_A' }, { 'x-sandbox-scenario': 'empty-strings' })
    ).json();
    expect(empty.paymentInitiationResponse).toMatchObject({ status: 'Success', paymentToken: '', paymentQrCode: '' });
  });

  it('runs without an internal error', async () => {
    for (const name of (await loadFixtures()).scenarios.keys()) {
      if (name === 'slow' || name === 'timeout-after-payment') {
        continue; // These delay the answer and are tested separately.
      }
      const answer = await pay(newSession().baseUrl, {}, { 'x-sandbox-scenario': name });
      expect([name, [200, 429, 503].includes(answer.status)]).toEqual([name, true]);
      expect(answer.headers.get('x-sandbox-scenario')).toBe(name);
    }
  });
});

describe('choosing', () => {
  it('a scenario prefers the header to a #tag, and a #tag to the session', async () => {
    const session = newSession();
    await session.useScenario('auto-approve');
    const outcomeOf = async (members: object, headers = {}) =>
      (await pay(session.baseUrl, members, headers)).headers.get('x-sandbox-outcome');
    expect(await outcomeOf({})).toBe('rule 1 of auto-approve, chosen by session');
    expect(await outcomeOf({ paymentDescription: 'Order #declined' })).toBe('rule 2 of declined, chosen by tag');
    expect(await outcomeOf({ payerReference: '#expires' })).toBe('rule 2 of expires, chosen by tag');
    expect(await outcomeOf({ paymentDescription: '#declined' }, { 'x-sandbox-scenario': 'payer-cancels' })).toBe(
      'rule 2 of payer-cancels, chosen by header',
    );
    expect(await outcomeOf({ paymentDescription: 'Order #42' })).toBe('rule 1 of auto-approve, chosen by session');
    await session.useScenario('payer-decides');
    expect(await outcomeOf({})).toBe('payer-decides, chosen by session');
    expect(await outcomeOf({ paymentDescription: '#declnd, #mine', payerReference: '#declined' })).toBe(
      'rule 2 of declined, chosen by tag; #declnd names no scenario, did you mean #declined?; #mine names no scenario',
    );
  });

  it('a scenario by an unknown name in the header is refused, and the refusal lists the known names', async () => {
    const answer = await pay(newSession().baseUrl, {}, { 'x-sandbox-scenario': 'magic' });
    const { auth } = await answer.json();
    expect([answer.status, auth.errorResponse.errorMessage]).toEqual([
      400,
      expect.stringContaining('there are auto-approve, bank-statement-mismatches, card-test-mode'),
    ]);
  });

  it('a rule by the body works if operation and environment also match', async () => {
    const session = newSession();
    const large = { type: 'object', properties: { amount: { pattern: '^[0-9]{4,}' } } };
    await session.defineScenario({
      name: 'large-ones-fail',
      description: 'Payments of a thousand and more are declined.',
      rules: [
        {
          when: { operation: 'initiatePayment', environment: 'sandbox', body: large },
          settle: { outcome: 'Failed', after: 'PT0S', code: '61' },
        },
        { settle: { outcome: 'Paid', after: 'PT0S' } },
      ],
    });
    await session.useScenario('large-ones-fail');
    await pay(session.baseUrl, { amount: '1000.00' });
    await pay(session.baseUrl, { amount: '999.99' });
    await session.advance('PT0S');
    const { items } = await session.payments({ order: 'oldest' });
    expect(items.map(({ state }) => state)).toEqual(['Failed', 'Paid']);
  });

  it('a rule by a range of amounts includes both ends of the range', async () => {
    const session = newSession();
    const rules = [{ when: { amount: { minimum: 10, maximum: 20 } }, settle: { outcome: 'Failed', after: 'PT0S' } }];
    await session.call('PUT', '/scenarios/some-fail', { name: 'some-fail', description: '', rules });
    await session.useScenario('some-fail');
    for (const amount of ['9.99', '10.00', '20.00', '20.01']) {
      await pay(session.baseUrl, { amount });
    }
    await session.advance('PT0S');
    const { items } = await session.payments({ order: 'oldest' });
    expect(items.map(({ state }) => state)).toEqual(['Processing', 'Failed', 'Failed', 'Processing']);
  });
});

describe('a fault', () => {
  async function withFault(fault: object, settle?: object) {
    const session = newSession();
    await session.defineScenario({ name: 'fault', description: '', rules: [{ fault, ...(settle ? { settle } : {}) }] });
    await session.useScenario('fault');
    return session;
  }
  const countOf = async (session: ReturnType<typeof newSession>) => (await session.payments()).items.length;

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('that resets the connection %s the payment is created results in %d payments', async (at, count) => {
    const session = await withFault({ at, kind: 'reset' });
    await expect(pay(session.baseUrl)).rejects.toThrow('fetch failed');
    expect(await countOf(session)).toBe(count);
  });

  it('that never answers ends when the client disconnects, but the payment exists', async () => {
    const session = await withFault({ at: 'after', kind: 'timeout' });
    const giveUp = new AbortController();
    const answer = fetch(session.baseUrl + WALLET, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(exampleOf('requests/single-payment')),
      signal: giveUp.signal,
    });
    await session.waitForEvent('payment.created', LONG_WAIT);
    giveUp.abort();
    await expect(answer).rejects.toThrow();
    expect(await countOf(session)).toBe(1);
  });

  it('that never answers does not prevent the sandbox from closing', async () => {
    const other = await startSandbox();
    await other.client.defineScenario({
      name: 'fault',
      description: '',
      rules: [{ fault: { at: 'after', kind: 'timeout' } }],
    });
    await other.client.useScenario('fault');
    const refused = expect(pay(other.url)).rejects.toThrow();
    await other.client.waitForEvent('payment.created', LONG_WAIT);
    await other.close();
    await refused;
  });

  it.each([
    ['empty-body', 200, ''],
    ['malformed-body', 200, '{"status":"Success","paymentInit'],
  ])('of kind %s answers %d with %j', async (kind, status, text) => {
    const session = await withFault({ at: 'after', kind });
    const answer = await pay(session.baseUrl);
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  });

  it('with a status is answered in the envelope of the operation, with a Retry-After header', async () => {
    const answer = await pay(newSession().baseUrl, {}, { 'x-sandbox-scenario': 'rate-limited' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await answer.json()).auth.errorResponse).toEqual({ errorMessage: 'Too many requests', statusCode: 429 });
    expect(answer.headers.get('x-sandbox-outcome')).toBe(
      'rule 1 of rate-limited, chosen by header; status 429 on arrival',
    );
  });

  it('applies only to the first `times` calls', async () => {
    const session = await withFault({ at: 'before', kind: 'status', status: 500, times: 2 });
    const statuses = [];
    for (let call = 0; call < 4; call += 1) {
      statuses.push((await pay(session.baseUrl)).status);
    }
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  it('with a probability depends on the seed: with the same seed, the same calls fail', async () => {
    const statusesOf = async (seed: string) => {
      sessions += 1;
      const session = await sandbox.client.createSession(`chance-${sessions}`, { seed, scenario: 'flaky' });
      const statuses = [];
      for (let call = 0; call < 30; call += 1) {
        statuses.push((await pay(session.baseUrl)).status);
      }
      return statuses;
    };
    const first = await statusesOf('one');
    expect(await statusesOf('one')).toEqual(first);
    expect(await statusesOf('two')).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
  });

  it('of kind latency delays the answer until the clock has moved', async () => {
    const session = await withFault({ at: 'after', kind: 'latency', latency: 'PT2S' });
    let isAnswered = false;
    const answer = pay(session.baseUrl).then((response) => {
      isAnswered = true;
      return response;
    });
    await session.waitForEvent('payment.created', LONG_WAIT);
    await session.advance('PT1.999S');
    expect(isAnswered).toBe(false);
    await session.advance('PT0.001S');
    expect((await answer).status).toBe(200);
  });
});

describe("a user's own scenario", () => {
  const scenario = (name: string, code: string) => ({
    name,
    description: '',
    rules: [{ settle: { outcome: 'Failed', after: 'PT0S', code } }],
  });

  it('is added to the shipped ones, or replaces the one with its name', async () => {
    const fixtures = newFolder();
    mkdirSync(join(fixtures, 'scenarios'));
    writeFileSync(join(fixtures, 'scenarios/mine.json'), JSON.stringify(scenario('mine', '96')));
    writeFileSync(join(fixtures, 'scenarios/declined.json'), JSON.stringify(scenario('declined', '91')));
    const otherSandbox = await startSandbox({ fixtures, now: NOW });
    await pay(otherSandbox.url, { payerReference: 'ONE' }, { 'x-sandbox-scenario': 'mine' });
    await pay(otherSandbox.url, { payerReference: 'TWO' }, { 'x-sandbox-scenario': 'declined' });
    await otherSandbox.client.advance('PT0S');
    const { items } = await otherSandbox.client.payments({ order: 'oldest' });
    await otherSandbox.close();
    expect(items.map(({ history }) => history.at(-1)?.code)).toEqual(['96', '91']);
  });
});

describe('fixtures that change while the sandbox runs', () => {
  it('take effect; an invalid file is reported, and its last valid version stays in use', async () => {
    const fixtures = newFolder();
    mkdirSync(join(fixtures, 'scenarios'));
    const otherSandbox = await startSandbox({ fixtures, now: NOW });
    const file = join(fixtures, 'scenarios/mine.json');
    const rules = (code: string) => [{ settle: { outcome: 'Failed', after: 'PT0S', code } }];
    writeFileSync(file, JSON.stringify({ name: 'mine', description: '', rules: rules('96') }));
    const first = await otherSandbox.client.waitForEvent('fixtures.reloaded', LONG_WAIT);
    await otherSandbox.client.useScenario('mine');
    writeFileSync(file, JSON.stringify({ name: 'mine', description: '', rules: [{ settle: { outcome: 'Lost' } }] }));
    const broken = await otherSandbox.client.waitForEvent('fixtures.refused', { since: first.id, ...LONG_WAIT });
    expect(broken.data).toEqual({ file, problem: expect.stringContaining('mine.json: $.rules[0].settle.') });
    await pay(otherSandbox.url);
    await otherSandbox.client.advance('PT0S');
    expect((await otherSandbox.client.payment('payment-1')).history.at(-1)?.code).toBe('96');
    writeFileSync(file, JSON.stringify({ name: 'mine', description: '', rules: rules('91') }));
    await otherSandbox.client.waitForEvent('fixtures.reloaded', { since: broken.id, ...LONG_WAIT });
    await pay(otherSandbox.url);
    await otherSandbox.client.advance('PT0S');
    expect((await otherSandbox.client.payment('payment-2')).history.at(-1)?.code).toBe('91');
    await otherSandbox.close();
  });

  function fixturesIn(folder: string, description: string): string {
    mkdirSync(join(folder, 'scenarios'), { recursive: true });
    writeFileSync(join(folder, 'scenarios/mine.json'), JSON.stringify({ name: 'mine', description, rules: [] }));
    return folder;
  }

  function relink(target: string, link: string): void {
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  }

  it.each<[string, (root: string) => { folder: string; change(): void }]>([
    [
      'are mounted as Kubernetes does it, with files that are links through a linked folder',
      (root) => {
        const [one, two] = ['..1', '..2'].map((name) => fixturesIn(join(root, name), name)) as [string, string];
        symlinkSync(one, join(root, '..data'));
        mkdirSync(join(root, 'scenarios'));
        symlinkSync('../..data/scenarios/mine.json', join(root, 'scenarios/mine.json'));
        return { folder: root, change: () => relink(two, join(root, '..data')) };
      },
    ],
    [
      'are in a linked folder',
      (root) => {
        const [one, two] = ['..1', '..2'].map((name) => fixturesIn(join(root, name), name)) as [string, string];
        symlinkSync(one, join(root, 'fixtures'));
        return { folder: join(root, 'fixtures'), change: () => relink(two, join(root, 'fixtures')) };
      },
    ],
    [
      'have a linked folder of scenarios',
      (root) => {
        const [one, two] = ['..1', '..2'].map((name) => fixturesIn(join(root, name), name)) as [string, string];
        symlinkSync(join(one, 'scenarios'), join(root, 'scenarios'));
        return { folder: root, change: () => relink(join(two, 'scenarios'), join(root, 'scenarios')) };
      },
    ],
    [
      'are in a folder that is replaced',
      (root) => {
        const [one, two] = ['..1', '..2'].map((name) => fixturesIn(join(root, name), name)) as [string, string];
        const change = () => {
          renameSync(one, join(root, 'previous'));
          renameSync(two, one);
        };
        return { folder: one, change };
      },
    ],
  ])('are read again if they %s', async (_, setUp) => {
    const { folder, change } = setUp(newFolder());
    const otherSandbox = await startSandbox({ fixtures: folder, now: NOW });
    const descriptionOfMine = async () =>
      (await otherSandbox.client.scenarios()).items.find(({ name }) => name === 'mine')?.description;
    expect(await descriptionOfMine()).toBe('..1');
    change();
    await otherSandbox.client.waitForEvent('fixtures.reloaded', LONG_WAIT);
    expect(await descriptionOfMine()).toBe('..2');
    await otherSandbox.close();
  });

  it('stay in use while their folder is missing, and are read again when it is back', async () => {
    const folder = fixturesIn(join(newFolder(), 'fixtures'), 'one');
    const otherSandbox = await startSandbox({ fixtures: folder, now: NOW });
    renameSync(folder, `${folder}-away`);
    const { id, data } = await otherSandbox.client.waitForEvent('fixtures.refused', LONG_WAIT);
    expect(data).toEqual({ file: folder, problem: `${folder}: there is no such folder` });
    expect((await otherSandbox.client.scenarios()).items.map(({ name }) => name)).toContain('mine');
    fixturesIn(`${folder}-away`, 'two');
    renameSync(`${folder}-away`, folder);
    await otherSandbox.client.waitForEvent('fixtures.reloaded', { since: id, ...LONG_WAIT });
    const { items } = await otherSandbox.client.scenarios();
    expect(items.find(({ name }) => name === 'mine')?.description).toBe('two');
    await otherSandbox.close();
  });
});

it('a scenario that a session uses remains when its file is deleted', async () => {
  const fixtures = newFolder();
  mkdirSync(join(fixtures, 'scenarios'));
  const file = join(fixtures, 'scenarios/mine.json');
  writeFileSync(file, JSON.stringify({ name: 'mine', description: '', rules: [] }));
  const otherSandbox = await startSandbox({ fixtures, now: NOW });
  await otherSandbox.client.useScenario('mine');
  rmSync(file);
  const { data } = await otherSandbox.client.waitForEvent('fixtures.refused', LONG_WAIT);
  expect(data['problem']).toContain('session default uses the scenario mine, which no longer exists');
  expect((await pay(otherSandbox.url)).status).toBe(200);
  await otherSandbox.close();
});

it('a status query needs a new access token after the old one has expired by the clock of the session', async () => {
  const session = newSession();
  const authenticate = async () =>
    JSON.parse((await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text).token;
  const ask = (token: string) =>
    request(session.baseUrl)
      .get('/api/getPaymentDetails')
      .query({ transactionReference: 'X', walletName: 'WALLET_QR' })
      .set('Authorization', `Bearer ${token}`);
  const token = await authenticate();
  await session.advance('PT4H59M59S');
  expect((await ask(token)).status).toBe(404);
  await session.advance('PT2S');
  const refused = await ask(token);
  expect([refused.status, JSON.parse(refused.text).errorMessage]).toEqual([
    401,
    expect.stringContaining('has expired'),
  ]);
  expect((await ask(await authenticate())).status).toBe(404);
});
