import { resolve } from 'node:path';
import { type Sandbox, SandboxClient, startSandbox } from '../../src/index.ts';
import { useSandbox } from '../../src/test-kit/jest.ts';
import type { SandboxOptions } from '../../src/test-kit/options.ts';
import { sessionNameOf } from '../../src/test-kit/test-sessions.ts';
import { useSandboxWith } from '../../src/test-kit/use-sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { HooksOfFile } from './hooks.ts';

const VARIABLES = ['MERCHANT_SANDBOX_URL', 'SANDBOX_CONTROL_TOKEN'] as const;

let running: Sandbox;

beforeAll(async () => {
  running = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
});
afterAll(() => running.close());
beforeEach(forgetVariables);
afterEach(forgetVariables);

function forgetVariables(): void {
  for (const name of VARIABLES) {
    delete process.env[name];
  }
}

/** Counts files, because each test simulates a different one. */
let files = 0;
function useIn(hooks: HooksOfFile, options: SandboxOptions = {}, path = `test/shop-${files}/checkout.test.ts`) {
  files += 1;
  return useSandboxWith(hooks, () => resolve(path), options);
}

const paymentsOf = async (session: SandboxClient) =>
  (await session.payments()).items.map(({ payerReference }) => payerReference);

const isAnswering = (url: string) =>
  fetch(`${url}/_sandbox/health`).then(
    () => true,
    () => false,
  );

it('the hooks start a sandbox for a file, reset its session for each test, and close it', async () => {
  const hooks = new HooksOfFile();
  const session = useIn(hooks, { now: '2026-03-01T10:00:00Z', scenario: 'auto-approve' });
  let url = '';
  await hooks.runTests(
    async () => {
      url = new URL(session.baseUrl).origin;
      await pay(session, { payerReference: 'ORDER-1' });
      await session.useScenario('declined');
      await session.freeze('2027-01-01T00:00:00Z');
    },
    async () => {
      expect(await paymentsOf(session)).toEqual([]);
      expect([(await session.clock()).now, (await session.currentScenario()).name]).toEqual([
        '2026-03-01T10:00:00.000Z',
        'auto-approve',
      ]);
      expect(session.session).toMatch(/^test-shop-\d+-checkout\.test\.ts-[0-9a-f]{8}$/);
    },
  );
  expect(await isAnswering(url)).toBe(false);
});

it('the hooks close the sandbox even if a test fails', async () => {
  const hooks = new HooksOfFile();
  const session = useIn(hooks);
  let url = '';
  const run = hooks.runTests(async () => {
    url = new URL(session.baseUrl).origin;
    throw new Error('the test failed');
  });
  await expect(run).rejects.toThrow('the test failed');
  expect(await isAnswering(url)).toBe(false);
});

it('the hooks create a new session for each test on request, and delete that of the previous test', async () => {
  const hooks = new HooksOfFile();
  process.env['MERCHANT_SANDBOX_URL'] = running.url;
  const session = useIn(hooks, { sessionPer: 'test', controlToken: 'a-token' });
  const names: string[] = [];
  const payAndCheck = async () => {
    names.push(session.session);
    await pay(session, { payerReference: 'ORDER-1' });
    expect(await paymentsOf(session)).toEqual(['ORDER-1']);
    expect((await running.client.list<{ id: string; name: string }>('sessions')).items).toMatchObject([
      { name: session.session },
    ]);
  };
  await hooks.runTests(payAndCheck, payAndCheck, payAndCheck);
  expect(names).toEqual([names[0], `${names[0]}-2`, `${names[0]}-3`]);
  expect((await running.client.list('sessions')).items).toEqual([]);
});

it('a file can use several sessions of one sandbox, and several sandboxes with different settings', async () => {
  const hooks = new HooksOfFile();
  const path = 'test/several.test.ts';
  const [one, other, lenient] = [{}, {}, { settings: { validation: 'lenient' as const } }].map((options) =>
    useIn(hooks, options, path),
  ) as [SandboxClient, SandboxClient, SandboxClient];
  await hooks.runTests(async () => {
    const origins = [one, other, lenient].map(({ baseUrl }) => new URL(baseUrl).origin);
    expect([origins[0] === origins[1], origins[0] === origins[2]]).toEqual([true, false]);
    await pay(one, { payerReference: 'ORDER-1' });
    expect([await paymentsOf(one), await paymentsOf(other)]).toEqual([['ORDER-1'], []]);
    const response = (await pay(lenient, { amount: 10 }))?.['status'];
    expect(response).toBe('00');
  });
});

describe('the session of a file', () => {
  it('throws an error if it is used too early or too late, but can be inspected at any time', async () => {
    const hooks = new HooksOfFile();
    const session = useIn(hooks);
    const words = (name: string) => `session.${name} was used before the tests of this file began or after they ended`;
    expect(() => session.baseUrl).toThrow(words('baseUrl'));
    expect(() => session.settle('ORDER-1', 'Paid')).toThrow(words('settle'));
    expect(await session).toBeInstanceOf(SandboxClient);
    await hooks.runTests(async () => {
      expect(await session.health()).toMatchObject({ status: 'ok' });
    });
    expect(() => session.reset()).toThrow(words('reset'));
  });
});

describe('a separately started sandbox', () => {
  it('is used if the variables name it, and is not changed', async () => {
    process.env['MERCHANT_SANDBOX_URL'] = running.url;
    process.env['SANDBOX_CONTROL_TOKEN'] = 'a-token';
    const hooks = new HooksOfFile();
    const session = useIn(hooks);
    await hooks.runTests(async () => {
      expect(session.baseUrl).toBe(`${running.url}/s/${session.session}`);
      await pay(session);
    });
    expect(await isAnswering(running.url)).toBe(true);
    expect((await running.client.list('sessions')).items).toEqual([]);
  });

  it('is found by MERCHANT_SANDBOX_URL if `url` is blank, and is not used if both are blank', async () => {
    process.env['MERCHANT_SANDBOX_URL'] = running.url;
    process.env['SANDBOX_CONTROL_TOKEN'] = 'a-token';
    const hooks = new HooksOfFile();
    const session = useIn(hooks, { url: '', controlToken: ' ' });
    await hooks.runTests(async () => {
      expect(session.baseUrl).toBe(`${running.url}/s/${session.session}`);
    });
    process.env['MERCHANT_SANDBOX_URL'] = ' ';
    const otherHooks = new HooksOfFile();
    const started = useIn(otherHooks, { url: '', settings: {} });
    await otherHooks.runTests(async () => {
      expect(new URL(started.baseUrl).origin).not.toBe(running.url);
    });
  });

  it('gets a session with a numbered name if the name of the file is taken', async () => {
    const path = 'test/taken.test.ts';
    const name = sessionNameOf(resolve(path));
    await running.client.createSession(name);
    const hooks = new HooksOfFile();
    const session = useIn(hooks, { url: running.url, controlToken: 'a-token' }, path);
    await hooks.runTests(async () => {
      expect(session.session).toBe(`${name}-2`);
    });
    await running.client.deleteSession(name);
  });

  it.each([
    ['no token', undefined],
    ['a wrong token', 'another'],
  ])('refuses a file with %s, and the error names the variable', async (_, token) => {
    const hooks = new HooksOfFile();
    useIn(hooks, { url: running.url, ...(token === undefined ? {} : { controlToken: token }) });
    await expect(hooks.runTests()).rejects.toThrow(
      `the sandbox at ${running.url} requires its control token: set SANDBOX_CONTROL_TOKEN`,
    );
  });

  it('is reported with advice if it was closed', async () => {
    const gone = await startSandbox();
    await gone.close();
    process.env['MERCHANT_SANDBOX_URL'] = gone.url;
    const hooks = new HooksOfFile();
    useIn(hooks);
    await expect(hooks.runTests()).rejects.toThrow(
      `no sandbox answers at ${gone.url} (from MERCHANT_SANDBOX_URL); start one there, or remove MERCHANT_SANDBOX_URL`,
    );
  });

  it('must be named by an http or https address', async () => {
    process.env['MERCHANT_SANDBOX_URL'] = 'localhost:4100';
    const hooks = new HooksOfFile();
    useIn(hooks);
    await expect(hooks.runTests()).rejects.toThrow(
      'MERCHANT_SANDBOX_URL must be the address of a running sandbox, such as http://127.0.0.1:4100, not "localhost:4100"',
    );
  });

  it('is not used by a file with its own settings', async () => {
    process.env['MERCHANT_SANDBOX_URL'] = running.url;
    const hooks = new HooksOfFile();
    const session = useIn(hooks, { settings: { validation: 'lenient' } });
    await hooks.runTests(async () => {
      expect(new URL(session.baseUrl).origin).not.toBe(running.url);
    });
  });
});

it.each([
  [{ senario: 'declined' }, 'unknown option senario, did you mean scenario?'],
  [{ port: 4100 }, 'unknown option port; known options are'],
  [{ sessionPer: 'worker' }, `sessionPer must be 'file' or 'test', not "worker"`],
  [{ url: 'http://127.0.0.1:1', settings: {} }, 'use only one of them'],
])('the options %j are refused as soon as the file is loaded', (options, words) => {
  expect(() => useIn(new HooksOfFile(), options as SandboxOptions)).toThrow(words);
});

it('wrong settings of the sandbox or session are refused before the first test', async () => {
  const wrong = (options: object) => {
    const hooks = new HooksOfFile();
    useIn(hooks, options as SandboxOptions);
    return hooks.runTests();
  };
  await expect(wrong({ settings: { port: '80' } })).rejects.toThrow('port must be a whole number');
  await expect(wrong({ scenario: 'nonesuch' })).rejects.toThrow('payer-decides');
  await expect(wrong({ now: 'tomorrow' })).rejects.toThrow('RFC 3339');
});

it.each([
  ['in another folder', '/home/ann/shop/test/checkout.test.ts', /^[A-Za-z0-9][A-Za-z0-9._-]*-[0-9a-f]{8}$/],
  ['with a long path', `${'a-very-long-folder-name/'.repeat(20)}checkout.test.ts`, /checkout\.test\.ts-[0-9a-f]{8}$/],
  ['with an odd name', 'test/Ünïcode & spaces (1).test.ts', /^test-[A-Za-z0-9._-]+-1-\.test\.ts-[0-9a-f]{8}$/],
])('the session of a file %s gets a valid name', async (_, path, pattern) => {
  const hooks = new HooksOfFile();
  const session = useIn(hooks, { url: running.url, controlToken: 'a-token' }, path);
  await hooks.runTests(async () => {
    expect(session.session).toMatch(pattern);
    expect(session.session.length).toBeLessThanOrEqual(64);
  });
});

describe('the hooks for Jest', () => {
  it('refuse a test that begins while another one runs', async () => {
    const actions: Record<string, (() => Promise<void>)[]> = {
      beforeAll: [],
      beforeEach: [],
      afterEach: [],
      afterAll: [],
    };
    const hook = (name: string) => (action: () => Promise<void>) => actions[name]?.push(action);
    const run = async (name: string) => {
      for (const action of actions[name] ?? []) {
        await action();
      }
    };
    const hooks = { beforeAll: hook('beforeAll'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach') };
    useSandbox({ failures: false }, { ...hooks, afterAll: hook('afterAll'), expect: {} });
    await run('beforeAll');
    try {
      await run('beforeEach');
      await expect(run('beforeEach')).rejects.toThrow('this test runs concurrently with others of its file');
      await run('afterEach');
      await run('afterEach');
      await run('beforeEach');
    } finally {
      await run('afterAll');
    }
  });

  it('must be passed if they are not global, and the error names their module', () => {
    expect(() => useSandbox({}, {})).toThrow("pass the hooks: useSandbox({}, require('@jest/globals'))");
  });
});
