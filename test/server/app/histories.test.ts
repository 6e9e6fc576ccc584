import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { readBundle } from '../../../src/server/histories/bundle.ts';
import { cases } from '../../cases.ts';
import { single, tokenOf } from '../../interface/calls.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Random, randomFrom } from '../../random.ts';
import { runCommand } from '../../run-command.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';
import { OWN_SECRETS, OWN_WEBHOOK_SECRET, ShopAtRandom } from './shop-at-random.ts';

const temporaryFolder = temporaryFolders();
const NOW = '2026-03-01T10:00:00Z';
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let folder: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let files = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  receiver = await startReceiver((call, response) => {
    response.statusCode = call % 3 === 0 ? 500 : 200;
    response.end('received');
  });
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

const newFile = (): string => {
  files += 1;
  return join(folder, `bundle-${files}.ndjson`);
};
const pay = ({ baseUrl }: SandboxClient, payerReference: string) =>
  request(baseUrl).post(INITIATE).send(single({ payerReference }));
const frozen = (name: string) => sandbox.client.createSession(name, { now: NOW });

async function bundleOf({ session }: SandboxClient): Promise<string> {
  const file = newFile();
  const { code, stderr } = await runCommand(['bundle', session, '-o', file, '--url', sandbox.url]);
  expect([code, stderr]).toEqual([0, '']);
  return file;
}

const replay = (file: string, ...options: string[]) => runCommand(['replay', file, ...options]);

/** A copy of a bundle with one text in place of another. */
function changed(file: string, from: string | RegExp, to: string): string {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  const copy = newFile();
  writeFileSync(copy, text.replace(from, to));
  return copy;
}

describe('the bundle of a session', () => {
  it.each(Array.from({ length: cases(16) }, (_, index) => index + 1))(
    'of a shop at random (%i) plays the same elsewhere, and has none of its secrets',
    async (seed) => {
      const name = `random-${seed}`;
      const session = await sandbox.client.createSession(name, seed % 4 === 0 ? {} : { now: NOW });
      await session.setEndpoints([{ url: receiver.url, secret: OWN_WEBHOOK_SECRET }]);
      await new ShopAtRandom(session, seed).run(12);
      const file = await bundleOf(session);
      const text = readFileSync(file, 'utf8');
      expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toMatchObject({ cutBecause: null, difference: null });
      expect(OWN_SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
      const { code, stdout } = await replay(file);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^the same: \d+ steps\n$/)]);
    },
    LONG_WAIT.timeout,
  );

  it.each(Array.from({ length: cases(4) }, (_, index) => 1001 + index))(
    'of a shop at random (%i) whose calls come while the clock is moved plays the same',
    async (seed) => {
      const session = await sandbox.client.createSession(`at-once-${seed}`, seed % 2 === 0 ? {} : { now: NOW });
      await session.setEndpoints([{ url: receiver.url, secret: OWN_WEBHOOK_SECRET }]);
      await new ShopAtRandom(session, seed).run(40, 10);
      const file = await bundleOf(session);
      const [manifest = ''] = readFileSync(file, 'utf8').split('\n', 1);
      expect(JSON.parse(manifest)).toMatchObject({ cutBecause: null, difference: null });
    },
    LONG_WAIT.timeout,
  );

  it('begins with the state that was put in, and says so', async () => {
    const session = await frozen('put');
    await pay(session, 'ORDER-1');
    const state = await session.call<object>('GET', '/state');
    await session.call('PUT', '/state', state);
    await pay(session, 'ORDER-2');
    const { manifest, start, entries } = await readBundle(await session.bundle());
    expect(manifest.cutBecause).toBe('a state was put into the session');
    expect(start.payments).toHaveLength(1);
    expect(entries.filter(({ kind }) => kind === 'call')).toHaveLength(1);
  });

  it('takes tokens that were given out before it begins, and has none that were not', async () => {
    const session = await frozen('tokens');
    const token = await tokenOf(session.baseUrl);
    await session.call('PUT', '/state', await session.call<object>('GET', '/state'));
    const ask = (bearer: string) =>
      request(session.baseUrl)
        .get('/sandbox/api/getPaymentDetails')
        .query({ walletName: 'WALLET_QR', transactionReference: 'ORDER-1' })
        .set('Authorization', `Bearer ${bearer}`);
    const foreign = `${token.slice(0, -4)}AAAA`;
    const text = [(await ask(token)).text, (await ask(foreign)).text];
    expect(text).toEqual([
      expect.not.stringContaining('bearer'),
      expect.stringContaining('not issued by this session'),
    ]);
    const bundle = await session.bundle();
    expect((await readBundle(bundle)).manifest.difference).toBeNull();
    expect([token, foreign].map((each) => bundle.includes(each))).toEqual([true, false]);
  });

  it('is there while a receiver has a notification and does not answer', async () => {
    const hanging = await startReceiver(() => undefined);
    const session = await sandbox.client.createSession('in-flight');
    await session.setEndpoints([{ url: hanging.url }]);
    await pay(session, 'ORDER-1');
    await session.settle('ORDER-1', 'Paid');
    await hanging.arrived;
    const { manifest, entries } = await readBundle(await session.bundle());
    expect(manifest.difference).toBeNull();
    expect(entries.filter(({ kind }) => kind === 'sending' || kind === 'sent')).toMatchObject([{ kind: 'sending' }]);
    await sandbox.client.deleteSession('in-flight');
    await hanging.close();
  });

  it('plays the same where an answer shows what was signed with a secret of its own', async () => {
    const session = await frozen('sent-again');
    await session.setEndpoints([{ url: receiver.url, secret: OWN_WEBHOOK_SECRET }]);
    await pay(session, 'ORDER-1');
    await session.settle('ORDER-1', 'Paid');
    await session.runUntilIdle();
    const [delivery] = (await session.deliveries()).items;
    await session.replay(String(delivery?.id));
    await session.runUntilIdle();
    const file = await bundleOf(session);
    expect((await readBundle(readFileSync(file, 'utf8'))).manifest.difference).toBeNull();
    expect(await replay(file)).toMatchObject({ code: 0 });
  });

  it('begins anew with a reset', async () => {
    const session = await frozen('reset');
    await pay(session, 'ORDER-1');
    await session.reset();
    await pay(session, 'ORDER-2');
    const { manifest, entries } = await readBundle(await session.bundle());
    expect(manifest).toMatchObject({ cutBecause: null, difference: null });
    expect(entries.filter(({ kind }) => kind === 'call')).toMatchObject([{ id: 'request-1' }]);
  });

  it('has the fixtures that differ from the shipped ones', async () => {
    const fixtures = join(temporaryFolder());
    writeFileSync(join(fixtures, 'times.json'), JSON.stringify({ accessTokenLifetime: 'PT1M' }));
    const own = await startSandbox({ fixtures, now: Date.parse(NOW) });
    await pay(own.client, 'ORDER-1');
    await own.client.advance('PT2M');
    const file = newFile();
    writeFileSync(file, await own.client.bundle());
    await own.close();
    expect((await readBundle(readFileSync(file, 'utf8'))).fixtures).toMatchObject([{ file: 'times.json' }]);
    expect(await replay(file)).toMatchObject({ code: 0 });
  });

  it('is refused where no histories are kept', async () => {
    const none = await startSandbox({ historySize: 0 });
    await pay(none.client, 'ORDER-1');
    await expect(none.client.bundle()).rejects.toThrow('no histories are kept (--history-size 0)');
    await none.close();
  });

  it('begins later where there was no more room, says so, and plays the same', async () => {
    const small = await startSandbox({ historySize: 1, now: Date.parse(NOW) });
    for (let order = 1; order <= 500; order += 1) {
      await pay(small.client, `ORDER-${order}`);
    }
    const { manifest, entries } = await readBundle(await small.client.bundle());
    expect(manifest).toMatchObject({ cutBecause: expect.stringContaining('--history-size'), difference: null });
    expect(entries.length).toBeGreaterThan(0);
    await small.close();
  });
});

describe('replay', () => {
  let file: string;
  beforeAll(async () => {
    const session = await frozen('replayed');
    await session.useScenario('auto-approve');
    await pay(session, 'ORDER-1');
    await session.advance('PT1M');
    await pay(session, 'ORDER-2');
    file = await bundleOf(session);
  });

  it('names the first step that differs, with both sides', async () => {
    const { code, stdout } = await replay(changed(file, /(request-2","at.*?)"status":200/, '$1"status":201'));
    expect(code).toBe(1);
    expect(stdout).toContain('different: request-2, status\n- 201\n+ 200');
  });

  it('is the same up to a step before the difference', async () => {
    const other = changed(file, /(request-2","at.*?)"status":200/, '$1"status":201');
    expect(await replay(other, '--until', 'request-1')).toMatchObject({ code: 0 });
    expect(await replay(other, '--until', 'request-2')).toMatchObject({ code: 1 });
  });

  it('is the same where a call came before the one before it was answered, as a disk that is slow lets happen', async () => {
    const overtaken = changed(
      file,
      /(.*"kind":"answer","of":"request-1".*\n)((?:.*\n)*?)(.*"id":"request-2".*\n)/,
      '$2$3$1',
    );
    expect(await replay(overtaken)).toMatchObject({ code: 0, stdout: 'the same: 8 steps\n' });
  });

  it('tells programs the same', async () => {
    const { stdout } = await replay(file, '--json');
    expect(JSON.parse(stdout)).toEqual({ same: true, steps: 8, difference: null });
  });

  it.each([
    ['nothing', () => '', 'line 1: a bundle begins with its manifest'],
    ['no JSON', () => 'hello\n', 'line 1 is not JSON'],
    ['JSON of another kind', () => '{"a":1}\n', 'which names the format'],
    [
      'a bundle of a later version',
      (text: string) => text.replace('"format":2', '"format":3'),
      'format 3 (written by version',
    ],
    ['a line that is cut off', (text: string) => text.slice(0, -20), 'is not JSON'],
    [
      'a bundle that is cut off between two lines',
      (text: string) =>
        text
          .split(/(?<=\n)/)
          .slice(0, 4)
          .join(''),
      'it has 4 of its',
    ],
    [
      'a step with a broken member',
      (text: string) => text.replace(/("kind":"call".*?"at":)\d+/, '$1"noon"'),
      '$.at must be an integer',
    ],
    ['a line of another kind', (text: string) => `${text}{"kind":"guess"}\n`, 'line'],
    [
      'a scenario that there is none of',
      (text: string) => text.replaceAll('"scenario":"payer-decides"', '"scenario":"no-such"'),
      'the state that it begins with is broken',
    ],
  ])('says that %s cannot be played', async (_what, change, words) => {
    const broken = newFile();
    writeFileSync(broken, change(readFileSync(file, 'utf8')));
    const { code, stderr } = await replay(broken);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('says that there is no such file, and no such step', async () => {
    expect(await replay(join(folder, 'none'))).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
    expect(await replay(file, '--until', 'request-99')).toMatchObject({ code: 2 });
  });
});

describe('a fork', () => {
  const resume = async (fork: SandboxClient) => {
    for (const { id, queue } of (await fork.endpoints()).endpoints) {
      expect(queue).toMatchObject({ state: 'paused' });
      await fork.resumeEndpoint(id);
    }
  };

  const suffix = async (session: SandboxClient) => {
    await pay(session, 'ORDER-8');
    await session.advance('PT10M');
    await pay(session, 'ORDER-9');
    await session.advance('P1D');
  };

  /** All that a session keeps, but for what has its name in it, and the numbers of events. */
  const kept = async (session: SandboxClient) => {
    const { state, ...records } = await session.call<Record<string, unknown> & { state: object }>('GET', '/state');
    const { counters, generation: _, forkedFrom: __, start: ___, ...facts } = state as Record<string, unknown>;
    const { event: ____, ...others } = counters as Record<string, number>;
    const text = JSON.stringify({ facts, others, records });
    return text
      .replaceAll(`/s/${session.session}`, '')
      .replaceAll(/eyJ[\w.-]+|iVBOR[\w+/=]*|"webhook-?(id|Id|signature|timestamp)":"[^"]*"|"ms":\d+/g, '');
  };

  /** Calls of merchants and of tests, each the same whenever it is made. */
  const actionsFrom = (random: Random) =>
    Array.from({ length: 8 }, (_, index) => {
      const reference = `ORDER-${index}`;
      const earlier = `payment-${1 + random(3)}`;
      const by = ['PT3S', 'PT5M', 'PT20M'][random(3)] ?? 'PT1M';
      return [
        { step: 'request', run: (session: SandboxClient) => pay(session, reference) },
        { step: 'request', run: (session: SandboxClient) => pay(session, reference) },
        { step: 'control', run: (session: SandboxClient) => session.advance(by) },
        {
          step: 'control',
          run: (session: SandboxClient) => session.settle(earlier, 'Failed').catch(() => undefined),
        },
        { step: 'control', run: (session: SandboxClient) => session.useScenario('late-webhooks') },
      ][random(5)] as { step: 'request' | 'control'; run(session: SandboxClient): Promise<unknown> };
    });

  it.each(Array.from({ length: cases(2) }, (_, index) => index + 1))(
    'after any step ends as its parent does when the same follows (%i)',
    async (seed) => {
      const parent = await frozen(`parent-${seed}`);
      // Of its own: what it answers must not depend on who else calls.
      const reliable = await startReceiver();
      await parent.setEndpoints([{ url: reliable.url }]);
      const actions = actionsFrom(randomFrom(seed));
      const counts = { request: 0, control: 1 };
      const steps: string[] = [];
      for (const { step, run } of actions) {
        await run(parent);
        counts[step] += 1;
        steps.push(`${step}-${counts[step]}`);
      }
      const states: string[] = [];
      for (const [index, at] of steps.entries()) {
        const as = `${parent.session}-${index}`;
        const { forkedFrom } = await sandbox.client.fork(parent.session, { at, as });
        expect(forkedFrom).toEqual({ session: parent.session, at });
        const fork = sandbox.session(as);
        await resume(fork);
        for (const { run } of actions.slice(index + 1)) {
          await run(fork);
        }
        await suffix(fork);
        states.push(await kept(fork));
      }
      await suffix(parent);
      const state = await kept(parent);
      await reliable.close();
      expect(states.map((each) => each === state)).toEqual(steps.map(() => true));
    },
    LONG_WAIT.timeout,
  );

  it('sends nothing, not even what is forged, until its endpoint is resumed', async () => {
    const receiver = await startReceiver((_, response) => {
      response.statusCode = 500;
      response.end();
    });
    const parent = await frozen('loud');
    await parent.setEndpoints([{ url: receiver.url }]);
    await pay(parent, 'ORDER-1');
    await parent.settle('ORDER-1', 'Paid');
    // Another attempt is due.
    await parent.advance('PT1S');
    await sandbox.client.fork('loud', { as: 'quiet' });
    const fork = sandbox.session('quiet');
    const before = receiver.received.length;
    expect(before).toBeGreaterThan(0);
    await fork.useScenario('forged-webhooks');
    await pay(fork, 'ORDER-2');
    await fork.settle('ORDER-2', 'Paid');
    await fork.advance('P1D');
    expect(receiver.received).toHaveLength(before);
    const { items } = await fork.deliveries();
    expect(items.length).toBeGreaterThan(2);
    expect(items.map(({ state, attempts }) => [state, attempts.length === 0])).toEqual(
      items.map(({ subjectId }) => ['held', subjectId !== 'payment-1']),
    );
    const resumed = await runCommand(['resume', '--session', 'quiet', '--url', sandbox.url]);
    expect(resumed.code).toBe(0);
    await fork.advance('PT1S');
    expect(receiver.received.length).toBe(before + items.length);
    await receiver.close();
  });

  it('counts its calls on, and is the same as its parent until it goes its own way', async () => {
    const parent = await frozen('lineage');
    await pay(parent, 'ORDER-1');
    await sandbox.client.fork('lineage', { at: 'request-1', as: 'other-way' });
    const fork = sandbox.session('other-way');
    await pay(parent, 'ORDER-2');
    expect((await pay(fork, 'ORDER-2')).headers['x-sandbox-request']).toBe('request-2');
    const diff = () => runCommand(['diff', 'lineage', 'other-way', '--url', sandbox.url]);
    expect(await diff()).toMatchObject({ code: 0, stdout: 'lineage and other-way are the same\n' });
    await pay(parent, 'ORDER-3');
    await pay(fork, 'ORDER-4');
    const { code, stdout } = await diff();
    expect([code, stdout]).toEqual([1, expect.stringContaining('different: request-3, call body')]);
  });

  it('is refused for a step that there was not, a session that there is not, and a name that is taken', async () => {
    const parent = await frozen('refusing');
    await pay(parent, 'ORDER-1');
    const fork = (name: string, facts: { at?: string; as: string }) => sandbox.client.fork(name, facts);
    await expect(fork('refusing', { at: 'request-9', as: 'a' })).rejects.toMatchObject({ status: 404 });
    await expect(fork('refusing', { at: 'request-9', as: 'a' })).rejects.toThrow('answered calls are: request-1');
    await expect(fork('nowhere', { as: 'a' })).rejects.toMatchObject({ status: 404 });
    await expect(fork('refusing', { as: 'refusing' })).rejects.toMatchObject({ status: 409 });
  });

  it('can be bundled, forked again and reset', async () => {
    const parent = await frozen('grandparent');
    await pay(parent, 'ORDER-1');
    await sandbox.client.fork('grandparent', { as: 'child' });
    const child = sandbox.session('child');
    await pay(child, 'ORDER-2');
    expect(await replay(await bundleOf(child))).toMatchObject({ code: 0 });
    await sandbox.client.fork('child', { at: 'request-2', as: 'grandchild' });
    expect((await sandbox.session('grandchild').payments()).items).toHaveLength(2);
    expect(await child.reset()).not.toHaveProperty('forkedFrom');
  });
});
