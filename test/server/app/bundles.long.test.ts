import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { parseBundle } from '../../../src/server/histories/bundle.ts';
import { RecordMasker } from '../../../src/server/histories/record-masker.ts';
import { cases } from '../../cases.ts';
import { single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';
import { openBundle } from './open-bundle.ts';
import { OWN_SECRETS, OWN_WEBHOOK_SECRET, RandomShop } from './random-shop.ts';

const temporaryFolder = temporaryFolders();
const NOW = '2026-03-01T10:00:00Z';
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
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

const newFrozenSession = (name: string) => sandbox.client.createSession(name, { now: NOW });
const pay = ({ baseUrl }: SandboxClient, members: object) => request(baseUrl).post(INITIATE).send(single(members));

interface State {
  state: Record<string, unknown>;
  [collection: string]: unknown;
}

/** A session's data, without the parts in which a fork differs from its parent. */
async function dataOf(session: SandboxClient): Promise<object> {
  const { state, ...lists } = await session.call<State>('GET', '/state');
  const { generation: _, forkedFrom: __, counters, ...facts } = state;
  return { facts, counters: { ...(counters as object), event: 0 }, ...lists };
}

async function stepsOf(session: SandboxClient): Promise<string[]> {
  const { steps } = await session.history();
  return ['start', ...new Set(steps.map(({ of }) => of))];
}

async function loggedCalls(session: SandboxClient): Promise<object[]> {
  const { items } = await session.call<{ items: { id: string }[] }>('GET', '/requests?limit=1000');
  return Promise.all(items.map(({ id }) => session.call<object>('GET', `/requests/${id}`)));
}

/** Expects a fork of the opened session to equal a fork of the original at each step, secrets masked. */
async function expectSameForks(
  session: SandboxClient,
  openedSession: SandboxClient,
  steps: readonly string[],
): Promise<void> {
  const forkOf = async (parent: SandboxClient, at: string) => {
    await parent.fork(session.session, { at, as: 'one-fork' });
    const fork = parent.inSession('one-fork');
    // Runs the jobs that are due at the instant of the fork.
    await fork.advance('PT0S');
    const data = await dataOf(fork);
    await parent.deleteSession('one-fork');
    return data;
  };
  for (const at of steps) {
    const masker = new RecordMasker();
    expect([at, masker.mask(await forkOf(openedSession, at))]).toEqual([at, masker.mask(await forkOf(session, at))]);
  }
}

describe('a bundle', () => {
  it.each(Array.from({ length: cases(6) }, (_, index) => index + 1))(
    'of a random session opens with the same calls and steps, and has the same forks (%i)',
    async (seed) => {
      const session = await sandbox.client.createSession(`random-${seed}`, seed % 3 === 0 ? {} : { now: NOW });
      await session.setEndpoints([{ url: receiver.url, secret: OWN_WEBHOOK_SECRET }]);
      await new RandomShop(session, seed).run(12);
      await session.freeze();
      const text = await session.bundle();
      const steps = await stepsOf(session);
      expect((await parseBundle(text)).manifest.cutBecause).toBeNull();
      expect(OWN_SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
      const other = await openBundle(text);
      const openedSession = other.session(session.session);
      expect(await loggedCalls(openedSession)).toEqual(await loggedCalls(session));
      expect((await openedSession.clock()).now).toBe((await session.clock()).now);
      expect((await openedSession.history()).steps).toEqual(
        (await session.history()).steps.filter(({ of }) => steps.includes(of)),
      );
      await expectSameForks(session, openedSession, steps);
      await other.close();
    },
  );

  it('contains the fixtures that differ from the shipped ones, and is opened with them', async () => {
    const fixtures = temporaryFolder();
    writeFileSync(join(fixtures, 'times.json'), JSON.stringify({ accessTokenLifetime: 'PT1M' }));
    const otherSandbox = await startSandbox({ fixtures, now: Date.parse(NOW) });
    await pay(otherSandbox.client, { payerReference: 'ORDER-1' });
    const text = await otherSandbox.client.bundle();
    await otherSandbox.close();
    expect((await parseBundle(text)).fixtures).toMatchObject([{ file: 'times.json' }]);
    const other = await openBundle(text);
    expect(other.fixtures.times.accessTokenLifetime).toBe('PT1M');
    await other.close();
  });

  it('can be written and opened while a receiver has not answered a notification', async () => {
    const hanging = await startReceiver(() => undefined);
    const session = await sandbox.client.createSession('in-flight');
    await session.setEndpoints([{ url: hanging.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await hanging.arrived;
    const other = await openBundle(await session.bundle());
    const { items } = await other.session('in-flight').deliveries();
    expect(items.map(({ state }) => state)).toEqual(['held']);
    await other.close();
    await sandbox.client.deleteSession('in-flight');
    await hanging.close();
  });

  it('with a call that was never answered can be opened', async () => {
    const session = await sandbox.client.createSession('unanswered', { now: NOW, scenario: 'timeout-after-payment' });
    const client = new AbortController();
    const headers = { 'Content-Type': 'application/json' };
    const call = { method: 'POST', headers, body: JSON.stringify(single()), signal: client.signal };
    const answer = fetch(`${session.baseUrl}${INITIATE}`, call);
    while ((await session.payments()).items.length === 0) {
      // Waits for the payment, whose answer is then held back.
    }
    const text = await session.bundle();
    client.abort();
    await expect(answer).rejects.toThrow();
    const other = await openBundle(text);
    const openedSession = other.session('unanswered');
    expect((await openedSession.payments()).items).toHaveLength(1);
    expect((await openedSession.history()).steps[0]).toMatchObject({ of: 'request-1', line: 'request-1  under way' });
    await other.close();
  });
});

/** Expects that a session can be bundled and opened, and that forks at some of its steps are the same there. */
async function expectForkedBundledAndOpened(session: SandboxClient): Promise<void> {
  const steps = await stepsOf(session);
  const sampledSteps = steps.filter(
    (_, index) => index % Math.ceil(steps.length / 10) === 0 || index === steps.length - 1,
  );
  const other = await openBundle(await session.bundle());
  const openedSession = other.session(session.session);
  expect((await openedSession.payments()).items.length).toBe((await session.payments()).items.length);
  await expectSameForks(session, openedSession, sampledSteps);
  await other.close();
}

describe('a session with an unusual history', () => {
  it.each([
    ['an extra quote in its body', '{"merchantKey":"test-merchant-key-1000""}'],
    ['a body whose password is the name of a member', '{"password":"merchantId"}'],
  ])('can be forked, bundled and opened after a call with %s', async (_title, body) => {
    const session = await newFrozenSession(`malformed-${body.length}`);
    await pay(session, { payerReference: 'ORDER-1' });
    const { status } = await request(session.baseUrl).post(INITIATE).set('Content-Type', 'application/json').send(body);
    expect(status).toBe(400);
    await pay(session, { payerReference: 'ORDER-2' });
    await expectForkedBundledAndOpened(session);
  });

  it('can be forked, bundled and opened after a move of its clock was refused', async () => {
    const session = await newFrozenSession('refused-move');
    await pay(session, { payerReference: 'ORDER-1' });
    await expect(session.advance('P9999Y')).rejects.toMatchObject({ status: 400 });
    await pay(session, { payerReference: 'ORDER-2' });
    await expectForkedBundledAndOpened(session);
  });

  it('can be forked, bundled and opened after calls during moves of its clock, with a slow receiver', async () => {
    const slow = await startReceiver((_call, response) => setTimeout(() => response.end(), 20));
    const session = await newFrozenSession('busy');
    await session.setEndpoints([{ url: slow.url }]);
    await session.useScenario('auto-approve');
    const payments = cases(150);
    const client = async (number: number) => {
      for (let payment = 1; payment <= payments; payment += 1) {
        await pay(session, { payerReference: `ORDER-${number}-${payment}` });
      }
    };
    const moves = async () => {
      for (let move = 1; move <= 12; move += 1) {
        await session.advance('PT20S');
      }
    };
    await Promise.all([client(1), client(2), client(3), client(4), moves()]);
    await session.runUntilIdle();
    expect(slow.received.length).toBeGreaterThanOrEqual(4 * payments);
    await expectForkedBundledAndOpened(session);
    await slow.close();
  });
});
