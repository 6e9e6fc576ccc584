import fc from 'fast-check';
import { cases } from '../../../cases.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { NOW, openShop } from './shop.ts';

const HALTS = 'queue-halts-after-15-failures';
const SWITCHED_OFF = 'endpoint-switched-off-after-a-day';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
});
afterAll(() => sandbox.close());

function shopWith(behaviour: string) {
  sessions += 1;
  return openShop(sandbox.session(`queue-${sessions}`), behaviour);
}

const OPEN = { state: 'open', failures: 0, failingSince: null };

type Shop = Awaited<ReturnType<typeof shopWith>>;

const referencesIn = (shop: Shop) => shop.receiver.received.map(({ body }) => JSON.parse(body).paymentReference);
const queueOf = async ({ session }: Shop) => (await session.endpoints()).endpoints[0]?.queue;

async function haltedShop(): Promise<Shop> {
  const shop = await shopWith(HALTS);
  shop.answerWith(500);
  await shop.payAndSettle('ORDER-1');
  await shop.session.advance('PT14M');
  return shop;
}

describe('a queue that halts', () => {
  it('counts consecutive failed attempts across all its notifications, and holds pending and new ones', async () => {
    const shop = await shopWith(HALTS);
    shop.answerWith(500);
    for (const reference of ['ORDER-1', 'ORDER-2', 'ORDER-3']) {
      await shop.payAndSettle(reference);
    }
    await shop.session.advance('PT3M');
    expect(await queueOf(shop)).toMatchObject({ state: 'open', failures: 12 });
    await shop.session.advance('PT1M');
    expect(await queueOf(shop)).toEqual({ state: 'halted', failures: 15, failingSince: '2026-03-01T10:00:00.000Z' });
    await shop.payAndSettle('ORDER-4');
    await shop.session.advance('P30D');
    await shop.receiver.close();
    expect(shop.receiver.received).toHaveLength(15);
    const seconds = [0, 60, 120, 180, 240];
    expect(await shop.deliveries()).toMatchObject([
      { state: 'held', seconds },
      { state: 'held', seconds },
      { state: 'held', seconds },
      { state: 'held', seconds: [] },
    ]);
  });

  it('resets its count after a success', async () => {
    const shop = await shopWith(HALTS);
    shop.answerWith(500);
    await shop.payAndSettle('ORDER-1');
    await shop.session.advance('PT13M');
    expect(await queueOf(shop)).toMatchObject({ failures: 14 });
    shop.answerWith(200);
    await shop.payAndSettle('ORDER-2');
    await shop.receiver.close();
    expect(await queueOf(shop)).toEqual(OPEN);
  });

  it('delivers its notifications in order once it is resumed, with events for the halt and the resume', async () => {
    const shop = await haltedShop();
    const references = Array.from({ length: 30 }, (_, index) => `ORDER-${index + 2}`);
    for (const reference of references) {
      await shop.pay(reference);
      await shop.session.settle(reference, 'Paid');
    }
    shop.answerWith(200);
    await shop.session.resume(shop.endpoint.id);
    await shop.session.advance('PT0S');
    await shop.receiver.close();
    expect(referencesIn(shop).slice(15)).toEqual(['ORDER-1', ...references]);
    expect((await shop.deliveries()).every(({ state, queue }) => state === 'delivered' && queue === undefined)).toBe(
      true,
    );
    const { items } = await shop.session.list<{ type: string }>('event-log', { limit: '1000', order: 'oldest' });
    const ofEndpoint = items.filter(({ type }) => type.startsWith('endpoint.'));
    expect(ofEndpoint.map(({ type }) => type)).toEqual(['endpoint.halted', 'endpoint.resumed']);
  });

  it('restarts its retry intervals after a resume, and halts again after the same number of failures', async () => {
    const shop = await haltedShop();
    await shop.session.resume(shop.endpoint.id);
    await shop.session.advance('PT1H');
    await shop.receiver.close();
    expect(shop.receiver.received).toHaveLength(30);
    expect(await shop.deliveries()).toMatchObject([{ state: 'held', attemptsBefore: 15 }]);
  });

  it('cannot be resumed unless it is halted', async () => {
    const shop = await shopWith(HALTS);
    await shop.receiver.close();
    await expect(shop.session.resume(shop.endpoint.id)).rejects.toMatchObject({ status: 409 });
    await expect(shop.session.resume('endpoint-99')).rejects.toMatchObject({ status: 404 });
  });

  it('sends a held notification that is resent, and stays halted', async () => {
    const shop = await haltedShop();
    shop.answerWith(200);
    await shop.session.resend('delivery-1');
    await shop.session.advance('PT0S');
    await shop.payAndSettle('ORDER-2');
    await shop.receiver.close();
    expect(await queueOf(shop)).toMatchObject({ state: 'halted', failures: 15 });
    expect(await shop.deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'held' }]);
  });

  it('does not affect another address or another session', async () => {
    const shop = await haltedShop();
    const [other, elsewhere] = [await shopWith(HALTS), await shopWith(HALTS)];
    await shop.session.setEndpoints([{ url: shop.receiver.url }, { url: other.receiver.url }]);
    await shop.payAndSettle('ORDER-2');
    await elsewhere.session.setEndpoints([{ url: shop.receiver.url }]);
    shop.answerWith(200);
    await elsewhere.payAndSettle('ORDER-3');
    await Promise.all([shop, other, elsewhere].map(({ receiver }) => receiver.close()));
    expect(referencesIn(other)).toEqual(['ORDER-2']);
    expect(referencesIn(shop).at(-1)).toBe('ORDER-3');
  });

  it('is deleted with the last endpoint of its address, and its held notifications are dropped', async () => {
    const shop = await haltedShop();
    await shop.session.setEndpoints([{ url: shop.receiver.url }]);
    expect(await queueOf(shop)).toMatchObject({ state: 'halted' });
    await shop.session.setEndpoints([]);
    expect(await shop.deliveries()).toMatchObject([{ state: 'dropped' }]);
    await shop.session.setEndpoints([{ url: shop.receiver.url }]);
    await shop.receiver.close();
    expect(await queueOf(shop)).toEqual(OPEN);
  });

  it('also holds new notifications under another behaviour, because halting applies to the endpoint', async () => {
    const shop = await haltedShop();
    shop.answerWith(200);
    await shop.session.useBehaviour('standard');
    await shop.payAndSettle('ORDER-2');
    expect((await shop.deliveries()).map(({ state }) => state)).toEqual(['held', 'held']);
    await shop.session.resume(shop.endpoint.id);
    await shop.payAndSettle('ORDER-3');
    await shop.receiver.close();
    expect(referencesIn(shop).slice(15)).toEqual(['ORDER-1', 'ORDER-2', 'ORDER-3']);
  });

  it.each([1, 2, 4, 7, 40])(
    'halts after the fifteenth failed attempt if %d notifications fail at once',
    async (count) => {
      const shop = await shopWith(HALTS);
      shop.answerWith(500);
      const references = Array.from({ length: count }, (_, index) => `ORDER-${index + 1}`);
      for (const reference of references) {
        await shop.pay(reference);
      }
      await Promise.all(references.map((reference) => shop.session.settle(reference, 'Paid')));
      await shop.session.advance('P1D');
      await shop.receiver.close();
      expect(shop.receiver.received).toHaveLength(15);
      expect(await queueOf(shop)).toMatchObject({ state: 'halted', failures: 15 });
      expect(new Set((await shop.deliveries()).map(({ state }) => state))).toEqual(new Set(['held']));
    },
  );

  it('cannot be restored from a state whose deliveries are held without a halt', async () => {
    const shop = await haltedShop();
    await shop.receiver.close();
    const state = await shop.session.state();
    await expect(shop.session.restore({ ...state, webhookQueues: [] })).rejects.toThrow(
      '$.deliveries[0].queue: expected one of $.webhookQueues that is halted or paused, as the delivery is held',
    );
  });

  it('stays halted in a restored state', async () => {
    const shop = await haltedShop();
    const state = await shop.session.state();
    await shop.session.reset();
    expect(await queueOf(shop)).toBeUndefined();
    await shop.session.restore(state);
    shop.answerWith(200);
    await shop.session.resume(shop.endpoint.id);
    await shop.session.advance('PT0S');
    await shop.receiver.close();
    expect(await shop.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('an endpoint that is switched off', () => {
  it('receives no new notifications until it is resumed, and afterwards only later ones', async () => {
    const shop = await shopWith(SWITCHED_OFF);
    shop.answerWith(500);
    await shop.payAndSettle('ORDER-1');
    await shop.session.advance('PT23H59M');
    expect(await queueOf(shop)).toMatchObject({ state: 'open' });
    await shop.payAndSettle('ORDER-2');
    await shop.session.advance('PT1M');
    expect(await queueOf(shop)).toMatchObject({ state: 'off' });
    shop.answerWith(200);
    await shop.payAndSettle('ORDER-3');
    await shop.session.advance('P1D');
    await shop.session.resume(shop.endpoint.id);
    await shop.payAndSettle('ORDER-4');
    await shop.receiver.close();
    expect((await shop.deliveries()).map(({ state }) => state)).toEqual(['dropped', 'dropped', 'dropped', 'delivered']);
    expect(referencesIn(shop).at(-1)).toBe('ORDER-4');
  });
});

describe('an endpoint that is switched off while several notifications fail', () => {
  it.each([2, 3, 5])('receives none of the %d again', async (count) => {
    const shop = await shopWith(SWITCHED_OFF);
    shop.answerWith(500);
    for (let number = 1; number <= count; number += 1) {
      await shop.pay(`ORDER-${number}`);
      await shop.session.settle(`ORDER-${number}`, 'Paid');
    }
    await shop.session.advance('P1D');
    const attempts = shop.receiver.received.length;
    await shop.session.advance('P9D');
    await shop.receiver.close();
    expect(shop.receiver.received).toHaveLength(attempts);
    for (const { state, nextAttemptAt } of await shop.deliveries()) {
      expect([state, nextAttemptAt]).toEqual(['dropped', null]);
    }
  });
});

describe('a queue', () => {
  const steps = fc.array(
    fc.oneof(
      fc.constant('pay' as const),
      fc.constantFrom('answer 200' as const, 'answer 500' as const),
      fc.constantFrom('advance PT1M' as const, 'advance PT10M' as const),
      fc.constant('resume' as const),
      fc.constant('resend' as const),
    ),
    { maxLength: 25 },
  );

  it.each([HALTS, SWITCHED_OFF])(
    'under %s holds deliveries only while it is halted, and leaves none pending, for any steps',
    async (behaviour) => {
      await fc.assert(
        fc.asyncProperty(steps, async (randomSteps) => {
          const shop = await shopWith(behaviour);
          let orders = 0;
          for (const step of randomSteps) {
            const [verb, argument = ''] = step.split(' ');
            if (verb === 'pay') {
              orders += 1;
              await shop.payAndSettle(`ORDER-${orders}`);
            } else if (verb === 'answer') {
              shop.answerWith(Number(argument));
            } else if (verb === 'advance') {
              await shop.session.advance(argument);
            } else if (verb === 'resume') {
              await shop.session.resume(shop.endpoint.id).catch(() => undefined);
            } else if (orders > 0) {
              await shop.session.resend(`delivery-${orders}`);
            }
            // Read before the queue, because a failed attempt may halt it between the two reads.
            const deliveries = await shop.deliveries();
            const queueState = (await queueOf(shop))?.state ?? 'open';
            for (const { state, queue, replays, nextAttemptAt } of deliveries) {
              expect([state, nextAttemptAt === null]).toEqual([state, state !== 'pending']);
              expect(state === 'held' ? queueState : 'halted').toBe('halted');
              expect(queue !== undefined || !['pending', 'held'].includes(state) || replays > 0).toBe(true);
            }
          }
          shop.answerWith(200);
          await shop.session.resume(shop.endpoint.id).catch(() => undefined);
          await shop.session.runUntilIdle();
          await shop.receiver.close();
          const states = new Set((await shop.deliveries()).map(({ state }) => state));
          expect([...states].filter((state) => !['delivered', 'dropped', 'failed'].includes(state))).toEqual([]);
          expect(behaviour === HALTS && states.has('dropped')).toBe(false);
          await shop.session.deleteSession(shop.session.session);
        }),
        { numRuns: cases(25) },
      );
    },
  );
});
