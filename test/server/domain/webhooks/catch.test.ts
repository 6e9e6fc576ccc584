import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { CATCH_URL } from '../../../../src/base/catch.ts';
import type { SandboxClient } from '../../../../src/client/client.ts';
import { single } from '../../../interface/calls.ts';
import { LONG_WAIT } from '../../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { RandomShop } from '../../app/random-shop.ts';

const NOW = '2026-03-01T10:00:00Z';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function sessionThatCatches(name: string, seed = 'a seed'): Promise<{ session: SandboxClient; secret: string }> {
  const session = await sandbox.client.createSession(name, { now: NOW, seed });
  const { endpoints } = await session.setEndpoints([{ url: CATCH_URL }]);
  return { session, secret: endpoints[0]?.secret ?? '' };
}

const pay = (session: SandboxClient, payerReference = 'ORDER-1') =>
  request(session.baseUrl).post('/sandbox/init/authenticate/merchant/wallet').send(single({ payerReference }));

async function deliveriesUnder(scenario: string) {
  const { session, secret } = await sessionThatCatches(`by-${scenario}`);
  await session.useScenario(scenario);
  await pay(session);
  await session.runUntilIdle();
  return { deliveries: (await session.deliveries({ order: 'oldest' })).items, secret };
}

/** The deliveries of a session without the values of headers, which depend on the machine's clock. */
async function deliveriesWithoutTimes(session: SandboxClient) {
  const { items } = await session.deliveries({ limit: '1000' });
  return items.map(({ attempts, ...delivery }) => ({
    ...delivery,
    attempts: attempts.map(({ headers, ...attempt }) => ({ ...attempt, headers: Object.keys(headers) })),
  }));
}

describe('the built-in receiver', () => {
  it('receives a notification as it would have been sent, with the signature of its endpoint', async () => {
    const { session, secret } = await sessionThatCatches('taken');
    await pay(session);
    const [payment] = (await session.payments()).items;
    await session.settle(payment?.id ?? '', 'Paid');
    const { url, state, body, attempts } = await session.waitForDelivery('ORDER-1', LONG_WAIT);
    expect({ url, state, attempts: attempts.length }).toEqual({ url: CATCH_URL, state: 'delivered', attempts: 1 });
    expect(attempts[0]).toMatchObject({ status: 200, ms: 0, error: null, response: 'caught by the sandbox' });
    expect(new Webhook(secret).verify(body, attempts[0]?.headers ?? {})).toMatchObject({ status: 'Paid' });
  });

  it('gets the doubled, late and forged notifications of a scenario, but no dropped ones, like any receiver', async () => {
    const { deliveries: doubled } = await deliveriesUnder('duplicate-webhooks');
    expect(doubled.map(({ state, webhookId }) => [state, webhookId])).toEqual([
      ['delivered', doubled[0]?.webhookId],
      ['delivered', doubled[0]?.webhookId],
    ]);
    const { deliveries: late } = await deliveriesUnder('late-webhooks');
    const [first] = late;
    expect(Date.parse(first?.attempts[0]?.at ?? '')).toBeGreaterThan(Date.parse(first?.createdAt ?? ''));
    const { deliveries: lostDeliveries } = await deliveriesUnder('lost-webhooks');
    expect(lostDeliveries).toMatchObject([{ state: 'dropped', attempts: [] }]);
    const { deliveries: forged } = await deliveriesUnder('forged-webhooks');
    expect(forged.map(({ forgery }) => forgery)).toContain('wrong-signature');
  });

  it('receives a slow notification after its delay by the clock of the session', async () => {
    const { session } = await sessionThatCatches('slow');
    await session.useRules([{ settle: { outcome: 'Paid', after: 'PT1S' }, webhook: { mode: 'slow', delay: 'PT7S' } }]);
    await pay(session);
    await session.runUntilIdle();
    const [slow] = (await session.deliveries()).items;
    expect(slow).toMatchObject({ state: 'delivered', attempts: [{ status: 200, ms: 7000 }] });
    expect((await session.clock()).now).toBe('2026-03-01T10:00:08.000Z');
  });

  it('can be the address of --webhook-url', async () => {
    const other = await startSandbox({ webhookUrl: CATCH_URL, now: Date.parse(NOW) });
    await other.client.useScenario('auto-approve');
    await pay(other.client);
    await other.client.runUntilIdle();
    expect((await other.client.deliveries()).items).toMatchObject([{ endpointId: 'endpoint-setting', url: CATCH_URL }]);
    await other.close();
  });

  it.each(['sandbox:', 'sandbox:catch/', 'sandbox:CATCH', 'catch'])(
    'has only the address sandbox:catch, and %s is refused',
    async (url) => {
      await expect(sandbox.session('one-address').setEndpoints([{ url }])).rejects.toThrow('or sandbox:catch');
      await expect(startSandbox({ webhookUrl: url })).rejects.toThrow('or sandbox:catch');
    },
  );

  it.each(['strict', 'lenient'] as const)(
    'cannot be used through the interface: the webhook tester refuses its address with %s validation',
    async (validation) => {
      const otherSandbox = await startSandbox({ validation });
      const sample = { url: CATCH_URL, webHookType: 'TRANSACTIONS' };
      const { status } = await request(otherSandbox.url).post('/sandbox/init/customerWebhookTester').send(sample);
      expect(status).toBeGreaterThanOrEqual(400);
      expect((await otherSandbox.client.deliveries()).items).toEqual([]);
      await otherSandbox.close();
    },
  );

  it('has no effect on findings and coverage', async () => {
    const { session } = await sessionThatCatches('no-effect');
    await session.useScenario('forged-webhooks');
    const before = await session.coverage();
    await pay(session);
    await session.advance('PT10M');
    await session.runUntilIdle();
    expect((await session.deliveries()).items.length).toBeGreaterThan(1);
    const seenCells = ({ cells }: Awaited<ReturnType<SandboxClient['coverage']>>) =>
      cells.filter((cell) => cell.class === 'notifications' && cell.degree !== 'never');
    expect(seenCells(await session.coverage())).toEqual(seenCells(before));
    const { items } = await session.list<{ name: string; records: string[] }>('findings');
    expect(items.flatMap(({ records }) => records).filter((id) => id.startsWith('delivery-'))).toEqual([]);
  });

  it.each([1, 2, 3, 4])('gets the same deliveries from a random shop with seed %i, also in a fork', async (seed) => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const { session } = await sessionThatCatches(`${name}-${seed}`, `seed ${seed}`);
        await new RandomShop(session, seed).run(12);
        await session.runUntilIdle();
        return session;
      }),
    );
    if (!(one && other)) {
      throw new Error('two sessions were expected');
    }
    const deliveries = await deliveriesWithoutTimes(one);
    const withoutWebhookId = ({ webhookId: _, ...delivery }: (typeof deliveries)[number]) => delivery;
    expect((await deliveriesWithoutTimes(other)).map(withoutWebhookId)).toEqual(deliveries.map(withoutWebhookId));
    const fork = await sandbox.client.fork(one.session, { as: `fork-${seed}` });
    expect(fork.forkedFrom).toMatchObject({ session: one.session });
    expect(await deliveriesWithoutTimes(sandbox.session(`fork-${seed}`))).toEqual(deliveries);
  });
});
