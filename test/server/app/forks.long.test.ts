import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { single } from '../../interface/calls.ts';
import { runCommand } from '../../run-command.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

const NOW = '2026-03-01T10:00:00Z';
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const pay = ({ baseUrl }: SandboxClient, payerReference: string) =>
  request(baseUrl).post(INITIATE).send(single({ payerReference }));
const newFrozenSession = (name: string) => sandbox.client.createSession(name, { now: NOW });
/** Oldest first. */
const paymentsOf = async (session: SandboxClient) =>
  (await session.payments({ limit: '1000' })).items.map(({ payerReference }) => payerReference).reverse();

async function fork(parent: SandboxClient, at: string | undefined, as: string): Promise<SandboxClient> {
  await sandbox.client.fork(parent.session, { as, ...(at === undefined ? {} : { at }) });
  return sandbox.session(as);
}

describe('a fork', () => {
  it('sends nothing, not even forged notifications, until its endpoint is resumed', async () => {
    const receiver = await startReceiver((_, response) => {
      response.statusCode = 500;
      response.end();
    });
    const parent = await newFrozenSession('loud');
    await parent.setEndpoints([{ url: receiver.url }]);
    await pay(parent, 'ORDER-1');
    await parent.settle('ORDER-1', 'Paid');
    // By now, another attempt is due.
    await parent.advance('PT1S');
    const quiet = await fork(parent, undefined, 'quiet');
    const before = receiver.received.length;
    expect(before).toBeGreaterThan(0);
    await quiet.useScenario('forged-webhooks');
    await pay(quiet, 'ORDER-2');
    await quiet.settle('ORDER-2', 'Paid');
    await quiet.advance('P1D');
    expect(receiver.received).toHaveLength(before);
    const { items } = await quiet.deliveries();
    expect(items.length).toBeGreaterThan(2);
    expect(items.map(({ state, attempts }) => [state, attempts.length === 0])).toEqual(
      items.map(({ subjectId }) => ['held', subjectId !== 'payment-1']),
    );
    const resumed = await runCommand(['resume', '--session', 'quiet', '--url', sandbox.url]);
    expect(resumed.code).toBe(0);
    await quiet.advance('PT1S');
    expect(receiver.received.length).toBe(before + items.length);
    await receiver.close();
  });

  it("continues the numbering of its parent's calls", async () => {
    const parent = await newFrozenSession('counting');
    await pay(parent, 'ORDER-1');
    await pay(parent, 'ORDER-2');
    const other = await fork(parent, 'request-1', 'counting-on');
    expect((await pay(other, 'ORDER-3')).headers['x-sandbox-request']).toBe('request-2');
  });

  it('names its parent session and step, until it is reset', async () => {
    const parent = await newFrozenSession('origin');
    await pay(parent, 'ORDER-1');
    const { forkedFrom } = await sandbox.client.fork('origin', { at: 'request-1', as: 'origin-fork' });
    expect(forkedFrom).toEqual({ session: 'origin', at: 'request-1' });
    expect(await sandbox.session('origin-fork').reset()).not.toHaveProperty('forkedFrom');
  });

  it('begins at the time of its step, even if the session has continued', async () => {
    const parent = await newFrozenSession('instants');
    await pay(parent, 'ORDER-1');
    await parent.advance('P1D');
    const clockOf = async (at: string) => (await (await fork(parent, at, `instant-of-${at}`)).clock()).now;
    expect([await clockOf('start'), await clockOf('request-1')]).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect((await (await fork(parent, undefined, 'latest')).clock()).now).toBe('2026-03-02T10:00:00.000Z');
  });

  it('can be forked again', async () => {
    const parent = await newFrozenSession('grandparent');
    await pay(parent, 'ORDER-1');
    const child = await fork(parent, undefined, 'child');
    await pay(child, 'ORDER-2');
    expect(await paymentsOf(await fork(child, 'request-2', 'grandchild'))).toEqual(['ORDER-1', 'ORDER-2']);
    expect(await paymentsOf(await fork(child, 'start', 'sibling'))).toEqual(['ORDER-1']);
  });

  it('is refused for an unknown step, an unknown session, and a name that is taken', async () => {
    const parent = await newFrozenSession('refusing');
    await pay(parent, 'ORDER-1');
    await expect(fork(parent, 'request-9', 'a')).rejects.toMatchObject({ status: 404 });
    await expect(fork(parent, 'request-9', 'a')).rejects.toThrow('answered calls are: request-1');
    await expect(sandbox.client.fork('nowhere', { as: 'a' })).rejects.toMatchObject({ status: 404 });
    await expect(fork(parent, undefined, 'refusing')).rejects.toMatchObject({ status: 409 });
  });
});

describe('a history', () => {
  it('that begins with a reset has no earlier steps, although calls are numbered from 1 again', async () => {
    const session = await newFrozenSession('reset');
    for (const order of ['ORDER-1', 'ORDER-2', 'ORDER-3']) {
      await pay(session, order);
      await session.advance('PT1M');
    }
    // This call is control-4, and so is a later one after the reset.
    await session.reset();
    await pay(session, 'ORDER-4');
    await session.advance('PT1M');
    await expect(fork(session, 'control-4', 'early')).rejects.toMatchObject({ status: 404 });
    for (let call = 2; call <= 4; call += 1) {
      await session.advance('PT1M');
    }
    const forked = await fork(session, 'control-4', 'late');
    expect([await paymentsOf(forked), (await forked.clock()).now]).toEqual([['ORDER-4'], '2026-03-01T10:04:00.000Z']);
  });

  it('of a fork names the session and the step that it was forked from', async () => {
    const session = await newFrozenSession('original');
    await pay(session, 'ORDER-1');
    const forked = await fork(session, 'request-1', 'copy');
    expect((await forked.history()).cutBecause).toBe(`it is a fork of session ${session.session} after request-1`);
  });

  it('starts again with a restored state, and gives that as the reason', async () => {
    const session = await newFrozenSession('put');
    await pay(session, 'ORDER-1');
    await session.call('PUT', '/state', await session.call<object>('GET', '/state'));
    await pay(session, 'ORDER-2');
    expect((await session.history()).cutBecause).toBe('a state was put into the session');
    expect(await paymentsOf(await fork(session, 'start', 'put-start'))).toEqual(['ORDER-1']);
    expect(await paymentsOf(await fork(session, 'request-1', 'put-later'))).toEqual(['ORDER-1', 'ORDER-2']);
  });

  it('does not exist if the history size is 0', async () => {
    const none = await startSandbox({ historySize: 0 });
    await pay(none.client, 'ORDER-1');
    await expect(none.client.bundle()).rejects.toThrow('no histories are kept (--history-size 0)');
    await expect(none.client.fork('default', { as: 'a' })).rejects.toMatchObject({ status: 409 });
    await none.close();
  });

  it('that exceeds its space loses its oldest steps, and the others can be forked', async () => {
    const small = await startSandbox({ historySize: 1, now: Date.parse(NOW) });
    const orders = Array.from({ length: 500 }, (_, index) => `ORDER-${index + 1}`);
    for (const order of orders) {
      await pay(small.client, order);
    }
    const { cutBecause, steps } = await small.client.history();
    expect(cutBecause).toContain('--history-size');
    const calls = [...new Set(steps.map(({ of }) => of).filter((of) => of.startsWith('request-')))];
    expect([calls.length > 50, calls.length < 450, calls.at(-1)]).toEqual([true, true, 'request-500']);
    for (const at of [calls.at(-40) ?? '', 'request-499']) {
      await small.client.fork('default', { at, as: `of-${at}` });
      expect(await paymentsOf(small.session(`of-${at}`))).toEqual(orders.slice(0, Number(at.split('-')[1])));
    }
    await expect(small.client.fork('default', { at: 'request-1', as: 'gone' })).rejects.toThrow(
      /request-500; .*--history-size/,
    );
    await small.close();
  });

  it('of the session that was idle longest is shortened first, to make space for that of another', async () => {
    const small = await startSandbox({ historySize: 1, now: Date.parse(NOW) });
    const [quiet, busy] = [small.session('quiet'), small.session('busy')];
    await pay(quiet, 'ORDER-1');
    await pay(busy, 'ORDER-1');
    for (let order = 1; order <= 300; order += 1) {
      await pay(busy, `ORDER-${order}`);
    }
    for (const session of [busy, quiet]) {
      expect((await session.history()).cutBecause).toContain('--history-size');
    }
    expect((await quiet.history()).steps).toEqual([]);
    await pay(quiet, 'ORDER-2');
    await small.client.fork('quiet', { at: 'start', as: 'quiet-start' });
    expect(await paymentsOf(small.session('quiet-start'))).toEqual(['ORDER-1']);
    await small.close();
  });
});

describe('the comparison of two sessions', () => {
  const diff = (one: SandboxClient, other: SandboxClient) =>
    runCommand(['diff', one.session, other.session, '--url', sandbox.url]);

  it('finds a fork equal to its parent until their calls differ', async () => {
    const parent = await newFrozenSession('lineage');
    await pay(parent, 'ORDER-1');
    const other = await fork(parent, 'request-1', 'other-way');
    await pay(parent, 'ORDER-2');
    await pay(other, 'ORDER-2');
    expect(await diff(parent, other)).toMatchObject({ code: 0, stdout: 'lineage and other-way are the same\n' });
    await pay(parent, 'ORDER-3');
    await pay(other, 'ORDER-4');
    const { code, stdout } = await diff(parent, other);
    expect([code, stdout]).toEqual([1, expect.stringContaining('different: request-3, call body')]);
  });

  it('of two forks of one session begins after the later fork', async () => {
    const parent = await newFrozenSession('ancestor');
    await pay(parent, 'ORDER-1');
    await pay(parent, 'ORDER-2');
    const early = await fork(parent, 'request-1', 'early-fork');
    const late = await fork(parent, 'request-2', 'late-fork');
    await pay(early, 'ORDER-2');
    for (const one of [early, late]) {
      await pay(one, 'ORDER-3');
    }
    expect(await diff(late, early)).toMatchObject({ code: 0, stdout: 'late-fork and early-fork are the same\n' });
    expect((await diff(early, late)).code).toBe(0);
    await pay(late, 'ORDER-4');
    expect((await diff(late, early)).stdout).toContain('different: request-4');
  });
});
