import { join } from 'node:path';
import fc from 'fast-check';
import request from 'supertest';
import type { INTEGRATION_KINDS } from '../../../../src/base/finding-kinds.ts';
import type { SandboxClient, ShownList } from '../../../../src/index.ts';
import { cases } from '../../../cases.ts';
import { single, tokenOf } from '../../../interface/calls.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { runCommand } from '../../../run-command.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { startReceiver } from '../../domain/webhooks/receiver.ts';

const { jest } = import.meta;

const NOW = '2026-03-01T10:00:00Z';
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const TOKEN_ERROR = {
  when: { operation: 'requestPaymentTokenAndPay' },
  fault: { at: 'after', kind: 'status', status: 500, times: 1 },
};

interface ListedFinding {
  name: string;
  id: string;
  count: number;
  calls: string[];
  records: string[];
}

const newFolder = temporaryFolders();
let sandbox: Sandbox;
let sessions = 0;
beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(members: object = { now: NOW }): Promise<SandboxClient> {
  sessions += 1;
  return sandbox.client.createSession(`findings-${sessions}`, members);
}

const pay = (session: SandboxClient, members: object = {}, path = WALLET, scenario = 'payer-decides') =>
  scenario === 'timeout-after-payment'
    ? payWithoutAnswer(session, members, path)
    : request(session.baseUrl)
        .post(path)
        .set('X-Sandbox-Scenario', scenario)
        .send(single(members))
        .then(({ headers }) => String(headers['x-sandbox-warnings'] ?? ''));

/** Gives up waiting once the payment exists. */
async function payWithoutAnswer(session: SandboxClient, members: object, path: string): Promise<string> {
  const count = async () => (await session.payments()).items.length;
  const before = await count();
  const client = new AbortController();
  const headers = { 'Content-Type': 'application/json', 'X-Sandbox-Scenario': 'timeout-after-payment' };
  const call = { method: 'POST', headers, body: JSON.stringify(single(members)), signal: client.signal };
  const answer = fetch(`${session.baseUrl}${path}`, call);
  while ((await count()) === before) {
    // Waits for the payment, which is created before its answer is held back.
  }
  client.abort();
  await expect(answer).rejects.toThrow();
  return 'no answer';
}

async function queryStatus({ baseUrl }: SandboxClient, reference: string, token?: string) {
  const bearer = token ?? (await tokenOf(baseUrl));
  return request(baseUrl)
    .get('/sandbox/api/getPaymentDetails')
    .query({ transactionReference: reference, walletName: 'WALLET_QR' })
    .set('Authorization', `Bearer ${bearer}`)
    .ok(() => true);
}

async function findingsOf(session: SandboxClient): Promise<ListedFinding[]> {
  const { items }: ShownList<ListedFinding> = await session.list<ListedFinding>('findings');
  return items;
}

const namesIn = async (session: SandboxClient) => (await findingsOf(session)).map(({ name }) => name);

/** A correct shop: a reference for each attempt, one token, and a status query after a missing answer. */
async function runCorrectShop(session: SandboxClient): Promise<void> {
  await pay(session, { payerReference: 'ORDER-1' });
  const token = await tokenOf(session.baseUrl);
  await queryStatus(session, 'ORDER-1', token);
  await session.settle('ORDER-1', 'Paid');
  await queryStatus(session, 'ORDER-1', token);
  await pay(session, { payerReference: 'ORDER-2' }, WALLET, 'timeout-after-payment');
  await queryStatus(session, 'ORDER-2', token);
}

it('a correct shop gets no findings', async () => {
  const session = await newSession();
  await runCorrectShop(session);
  // A call that was refused temporarily may be sent again unchanged.
  await pay(session, { payerReference: 'ORDER-5' }, WALLET, 'outage');
  await pay(session, { payerReference: 'ORDER-5' });
  expect(await findingsOf(session)).toEqual([]);
});

/** Calls with one mistake each; only `ambiguous-settle` includes another one. */
const MISTAKES: readonly [
  kind: keyof typeof INTEGRATION_KINDS,
  makeMistake: (session: SandboxClient) => Promise<unknown>,
][] = [
  [
    'shared-reference',
    async (session) => {
      await pay(session, { payerReference: 'ORDER-3' });
      await pay(session, { payerReference: 'ORDER-3' });
    },
  ],
  [
    'blind-retry',
    async (session) => {
      await pay(session, { payerReference: 'ORDER-3' }, WALLET, 'timeout-after-payment');
      await pay(session, { payerReference: 'ORDER-3' });
    },
  ],
  [
    'retry-under-another-reference',
    async (session) => {
      await pay(session, { payerReference: 'ORDER-3' }, WALLET, 'timeout-after-payment');
      await pay(session, { payerReference: 'ORDER-4' });
    },
  ],
  [
    'national-mobile-number',
    (session) => pay(session, { payerReference: 'ORDER-3', walletName: 'WALLET_MOBILE', payerMobile: '0770000001' }),
  ],
  ['empty-payer-name', (session) => pay(session, { payerReference: 'ORDER-3', payerName: ' ' })],
  [
    'mixed-environments',
    (session) => pay(session, { payerReference: 'ORDER-3' }, '/init/authenticate/merchant/wallet'),
  ],
  [
    'token-for-every-call',
    async (session) => {
      for (let call = 0; call < 7; call += 1) {
        await queryStatus(session, 'ORDER-1');
      }
    },
  ],
  [
    'expired-token-again',
    async (session) => {
      const token = await tokenOf(session.baseUrl);
      await session.advance('PT6H');
      await queryStatus(session, 'ORDER-1', token);
      await queryStatus(session, 'ORDER-1', token);
      await queryStatus(session, 'ORDER-2');
    },
  ],
  [
    'key-in-address',
    ({ baseUrl }) =>
      request(baseUrl)
        .post('/auth/authenticate/merchant?merchantApiKey=test-api-key-1000')
        .send({})
        .ok(() => true),
  ],
  [
    'json-only-client',
    ({ baseUrl }) =>
      request(baseUrl)
        .post('/auth/authenticate/merchant')
        .set('Accept', 'application/json')
        .send({})
        .ok(() => true),
  ],
  [
    'outcome-never-learned',
    async (session) => {
      await pay(session, { payerReference: 'ORDER-3' });
      await session.settle('ORDER-3', 'Paid');
    },
  ],
  [
    'ambiguous-settle',
    async (session) => {
      await pay(session, { payerReference: 'ORDER-3' });
      await pay(session, { payerReference: 'ORDER-3' });
      await session.settle('ORDER-3', 'Paid');
      await queryStatus(session, 'ORDER-3');
    },
  ],
];

describe('a shop with one mistake', () => {
  it.each(MISTAKES)('gets the finding %s, and no other', async (kind, makeMistake) => {
    const session = await newSession();
    await runCorrectShop(session);
    await makeMistake(session);
    const expected = kind === 'ambiguous-settle' ? ['shared-reference', kind] : [kind];
    const findings = await findingsOf(session);
    expect(findings.map(({ name }) => name)).toEqual(expected);
    const last = findings.at(-1);
    expect([...(last?.calls ?? []), ...(last?.records ?? [])].length).toBeGreaterThan(0);
  });

  it.each([
    ['after', ['blind-retry']],
    ['before', []],
  ] as const)(
    'that retries after an error %s the payment was created gets a finding only if the payment may exist',
    async (at, expected) => {
      const session = await newSession();
      const rules = [{ fault: { at, kind: 'status', status: 500, times: 1 } }];
      await session.defineScenario({ name: 'one-error', description: '', rules });
      await pay(session, { payerReference: 'ORDER-1' }, WALLET, 'one-error');
      await pay(session, { payerReference: 'ORDER-1' });
      expect(await namesIn(session)).toEqual(expected);
    },
  );

  it('that repeats a payment by token under another reference after an error gets a finding', async () => {
    const session = await newSession();
    await session.defineScenario({ name: 'one-error', description: '', rules: [TOKEN_ERROR] });
    await session.useScenario('one-error');
    const token = await tokenOf(session.baseUrl);
    for (const payerReference of ['ORDER-1', 'ORDER-2']) {
      const body = exampleOf('requests/payment-token-with-payment', { payerReference });
      await request(session.baseUrl)
        .post('/sandbox/api/requestPaymentTokenAndPay')
        .set('Authorization', `Bearer ${token}`)
        .send(body)
        .ok(() => true);
    }
    expect(await namesIn(session)).toContain('retry-under-another-reference');
  });

  it('gets the finding status-asked-too-often for 60 status queries within a second, on a running clock', async () => {
    const session = await newSession({});
    const token = await tokenOf(session.baseUrl);
    await pay(session, { payerReference: 'ORDER-1' });
    // A machine under load may take longer than a second for sixty calls.
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await Promise.all(Array.from({ length: 60 }, () => queryStatus(session, 'ORDER-1', token)));
    now.mockRestore();
    expect(await namesIn(session)).toEqual(['status-asked-too-often']);
  });

  it('gets a finding in a header once, and later findings of the same kind are only counted; a reset clears them', async () => {
    const session = await newSession();
    const warnings = [];
    for (let time = 0; time < 3; time += 1) {
      warnings.push(await pay(session, { payerReference: 'ORDER-1' }));
    }
    expect(warnings).toEqual(['', expect.stringContaining('SBX-W07 $.payerReference: '), '']);
    expect(await findingsOf(session)).toMatchObject([{ count: 2, calls: ['request-1', 'request-2', 'request-3'] }]);
    await session.reset();
    expect(await findingsOf(session)).toEqual([]);
    expect(await pay(session, { payerReference: 'ORDER-1' })).toBe('');
  });

  it('does not get findings that the sandbox is set to ignore', async () => {
    const quiet = await startSandbox({ ignoreFindings: ['SBX-W07', 'SBX-W17', 'SBX-W21'] });
    const { client } = quiet;
    await pay(client, { payerReference: 'ORDER-1' });
    expect(await pay(client, { payerReference: 'ORDER-1' })).toBe('');
    await client.settle('ORDER-1', 'Paid');
    expect(await findingsOf(client)).toEqual([]);
    await quiet.close();
    await expect(startSandbox({ ignoreFindings: ['SBX-S01'] })).rejects.toThrow('must be ids separated by commas');
  });
});

describe('a receiver', () => {
  it.each([
    ['that refuses gets a finding', 401, 'payer-decides', ['outcome-never-learned']],
    ['that redirects gets two findings', 302, 'payer-decides', ['outcome-never-learned', 'redirecting-receiver']],
    ['that accepts a forgery gets a finding', 200, 'forged-webhooks', ['forgery-acknowledged']],
    ['that accepts a tampered notification gets a finding', 200, 'tampered-webhooks', ['forgery-acknowledged']],
    ['that accepts valid notifications gets no finding', 200, 'payer-decides', []],
  ])('%s', async (_title, status, scenario, expected) => {
    const receiver = await startReceiver((_call, response) => {
      response.statusCode = status;
      response.end();
    });
    const session = await newSession();
    await session.setEndpoints([{ url: receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' }, WALLET, scenario);
    await session.settle('ORDER-1', 'Paid');
    await session.runUntilIdle();
    expect(await namesIn(session)).toEqual(expected);
    await receiver.close();
  });
});

it('a shop gets no finding for an outcome that it acknowledged, if the notification is sent again and then refused', async () => {
  let status = 204;
  const receiver = await startReceiver((_call, response) => response.writeHead(status).end());
  const session = await newSession();
  await session.setEndpoints([{ url: receiver.url }]);
  await pay(session, { payerReference: 'ORDER-1' });
  await session.settle('ORDER-1', 'Paid');
  await session.runUntilIdle();
  const id = (await session.deliveries()).items[0]?.id ?? '';
  status = 500;
  await session.resend(id);
  await session.advance('PT20M');
  await receiver.close();
  const attempts = (await session.deliveries()).items[0]?.attempts.map((attempt) => attempt.status) ?? [];
  expect([attempts[0], attempts.at(-1)]).toEqual([204, 500]);
  expect(await namesIn(session)).toEqual([]);
});

it.each(['arrival', 'before', 'after'])(
  'a shop gets no finding for an outcome that it queried if a fault (%s) kept the answer from it',
  async (at) => {
    const session = await newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    expect(await namesIn(session)).toEqual(['outcome-never-learned']);
    const when = { operation: ['getPaymentStatus' as const] };
    await session.useRules([{ when, fault: { at: at as 'after', kind: 'status', status: 503 } }]);
    expect((await queryStatus(session, 'ORDER-1')).status).toBe(503);
    expect(await namesIn(session)).toEqual([]);
  },
);

it('a shop gets no finding for an outcome that the built-in receiver accepted, but gets one for an outcome that its own receiver refused', async () => {
  const session = await newSession();
  await session.setEndpoints([{ url: 'sandbox:catch' }]);
  await pay(session, { payerReference: 'ORDER-1' });
  await session.settle('ORDER-1', 'Paid');
  await session.runUntilIdle();
  expect(await namesIn(session)).toEqual([]);
  const receiver = await startReceiver((_call, response) => response.writeHead(401).end());
  await session.setEndpoints([{ url: 'sandbox:catch' }, { url: receiver.url }]);
  await pay(session, { payerReference: 'ORDER-2' });
  await session.settle('ORDER-2', 'Paid');
  await session.runUntilIdle();
  await receiver.close();
  expect(await findingsOf(session)).toMatchObject([{ name: 'outcome-never-learned', records: ['payment-2'] }]);
});

it('payments from before a restart have no findings, because it is not known whether they were queried', async () => {
  const data = join(newFolder(), 'sandbox.json');
  const first = await startSandbox({ data, now: Date.parse(NOW) });
  await pay(first.client, { payerReference: 'ORDER-1' });
  await first.client.settle('ORDER-1', 'Paid');
  expect(await namesIn(first.client)).toEqual(['outcome-never-learned']);
  await first.close();
  const second = await startSandbox({ data });
  expect(await second.client.payment('ORDER-1')).toMatchObject({ state: 'Paid' });
  expect(await namesIn(second.client)).toEqual([]);
  await pay(second.client, { payerReference: 'ORDER-2' });
  await second.client.settle('ORDER-2', 'Paid');
  expect(await findingsOf(second.client)).toMatchObject([{ name: 'outcome-never-learned', records: ['payment-2'] }]);
  await second.close();
});

it('the command `findings` prints findings with advice, and exits with 1 with --strict', async () => {
  const session = await newSession();
  const flags = ['--session', session.session, '--url', sandbox.url];
  expect(await runCommand(['findings', '--strict', ...flags])).toMatchObject({
    code: 0,
    stdout: 'no findings so far in this session; merchant-sandbox report also counts calls that were refused\n',
  });
  await pay(session, { payerName: '' });
  const { code, stdout } = await runCommand(['findings', '--strict', ...flags]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^SBX-W12 {2}empty-payer-name, seen once\n/)]);
  expect(stdout).toContain('  What to do: ');
});

it('the command `findings` lists the findings of all sessions by kind', async () => {
  const otherSandbox = await startSandbox();
  const flags = ['--all-sessions', '--strict', '--url', otherSandbox.url];
  expect(await runCommand(['findings', ...flags])).toMatchObject({
    code: 0,
    stdout: 'no findings so far in all sessions; merchant-sandbox report also counts calls that were refused\n',
  });
  const [one, other] = await Promise.all(
    ['one', 'other', 'right'].map((name) => otherSandbox.client.createSession(name)),
  );
  for (const session of [one, other, one]) {
    await pay(session ?? otherSandbox.client, { payerName: '' });
  }
  await pay(other ?? otherSandbox.client, { payerReference: 'ORDER-1' });
  await pay(other ?? otherSandbox.client, { payerReference: 'ORDER-1' });
  const { code, stdout } = await runCommand(['findings', ...flags]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^SBX-W07 {2}shared-reference, seen .*, in 2 sessions\n/)]);
  expect(stdout).toMatch(/^SBX-W12 {2}empty-payer-name, seen 3 times, in 2 sessions$/m);
  expect(stdout).toMatch(/^ {2}one: Expected the payer's name, received an empty string: request-1, request-2$/m);
  expect(stdout).toMatch(/^ {2}other: Expected the payer's name, received an empty string: request-1$/m);
  const { stdout: json } = await runCommand(['findings', ...flags, '--json']);
  expect(JSON.parse(json)).toContainEqual(
    expect.objectContaining({
      id: 'SBX-W12',
      count: 3,
      sessions: [
        expect.objectContaining({ session: 'one', count: 2, calls: ['request-1', 'request-2'] }),
        expect.objectContaining({ session: 'other', count: 1, calls: ['request-1'] }),
      ],
    }),
  );
  await otherSandbox.close();
});

it('findings do not depend on other sessions at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(MISTAKES.slice(0, 6), { minLength: 1 }), async (mistakes) => {
      const namesBySession = await Promise.all(
        mistakes.map(async ([, makeMistake]) => {
          const session = await newSession();
          await runCorrectShop(session);
          await makeMistake(session);
          return namesIn(session);
        }),
      );
      expect(namesBySession).toEqual(mistakes.map(([kind]) => [kind]));
    }),
    { numRuns: cases(4) },
  );
});

it('an outcome that was queried before its session was restored or forked has no finding', async () => {
  const session = await newSession();
  await runCorrectShop(session);
  await session.restore(await session.state());
  expect(await findingsOf(session)).toEqual([]);
  const fork = await session.fork(`findings-${sessions}`, { as: `findings-${sessions}-fork` });
  expect(await findingsOf(session.inSession(fork.name))).toEqual([]);
});
