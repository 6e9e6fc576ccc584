import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedAdapter, loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { AdapterError, NO_ORDER } from '../../../src/examine/shop/adapter.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { FORMS, writeModule, writeProgram, writeTemplates } from './forms.ts';
import { type Shop, startShop } from './shop.ts';

const newFolder = temporaryFolders();
const ORDER = {
  amount: '10.50',
  currency: 'USD',
  channel: 'mobile-money',
  payer: { name: 'Ann "A"', mobile: '26377' },
};
const NEEDED = 'export const placeOrder = () => {}, orderState = () => {};';
const newSignal = () => new AbortController().signal;

describe.each(FORMS)('%s', (_form, write) => {
  let shop: Shop;
  let loaded: LoadedAdapter;

  beforeEach(async () => {
    shop = await startShop();
    loaded = await loadAdapter(write(newFolder(), shop.app));
  });

  afterEach(async () => {
    await loaded.close();
    await shop.close();
  });

  it('returns the addresses of the shop and of its receiver', () => {
    expect(loaded.adapter).toMatchObject({ app: shop.app, webhookUrl: `${shop.app}/webhook` });
  });

  it('states how long the shop needs, and that an order is open again after a failure', () => {
    expect(loaded.adapter).toMatchObject({ patienceMs: 30_000, reopens: true });
  });

  it('places the given order', async () => {
    const placed = await loaded.adapter.placeOrder({ ...ORDER, signal: newSignal() });
    expect(placed).toEqual({ orderId: 'order 7/ä' });
    expect(JSON.parse(shop.lastBody)).toEqual(ORDER);
  });

  it('reports that the shop refused an order, and which one it keeps', async () => {
    const placing = loaded.adapter.placeOrder({ ...ORDER, channel: 'card-switch', signal: newSignal() });
    const refusal = await placing.catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('422'), orderId: 9 });
    expect(refusal).not.toBeInstanceOf(AdapterError);
  });

  it('returns the state of an order', async () => {
    const state = await loaded.adapter.orderState('order 7/ä');
    expect(state).toEqual({ state: 'PAID', fulfilments: 2, paidAmount: '10.50' });
    expect(shop.requests).toEqual(['GET /orders/order%207%2F%C3%A4']);
  });

  it('lets the shop run its job, delete its orders, refund an order and restart', async () => {
    const { adapter } = loaded;
    await adapter.reconcile?.();
    await adapter.reset?.();
    await adapter.refund?.('7');
    await adapter.restart?.(undefined);
    expect(shop.requests).toEqual(['POST /jobs/reconcile', 'POST /reset', 'POST /orders/7/refund', 'POST /restart']);
  });

  it('opens the page to which the browser returns, and resolves with its address', async () => {
    const returned = await loaded.adapter.returnFromPayment?.('7', { url: undefined, signal: newSignal() });
    expect(returned).toEqual({ url: `${shop.app}/orders/7/return` });
    expect(shop.requests).toEqual(['GET /orders/7/return']);
  });

  it('pays an order again by another channel', async () => {
    await loaded.adapter.payAgain?.('7', { channel: 'card-switch', signal: newSignal() });
    expect(shop.requests).toEqual(['POST /orders/7/pay']);
    expect(JSON.parse(shop.lastBody)).toEqual({ channel: 'card-switch' });
  });

  it('makes an order older', async () => {
    await loaded.adapter.backdate?.('7', { minutes: 90 });
    expect(shop.requests).toEqual(['POST /orders/7/backdate']);
    expect(JSON.parse(shop.lastBody)).toEqual({ minutes: 90 });
  });

  it('pays an amount out, and sets up a recurring payment', async () => {
    const payer = { name: 'Ann', mobile: '263770000001' };
    const wanted = { amount: '10.00', currency: 'USD', channel: 'qr-wallet', payer, signal: newSignal() };
    await loaded.adapter.payOut?.(wanted);
    expect(JSON.parse(shop.lastBody)).toEqual({ amount: '10.00', to: 'Ann' });
    await loaded.adapter.subscribe?.(wanted);
    expect(JSON.parse(shop.lastBody)).toEqual({ amount: '10.00', of: 'Ann' });
    expect(shop.requests).toEqual(['POST /payouts', 'POST /subscriptions']);
  });

  it('reports that the shop refused to cancel an order', async () => {
    const refusal = await loaded.adapter.cancel?.('7').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('409') });
    expect(refusal).not.toBeInstanceOf(AdapterError);
  });

  it.each([
    ['a shop that fails', (shop: Shop) => (shop.answer = () => [500, 'out of order'])],
    ['an answer that is not JSON', (shop: Shop) => (shop.answer = () => [200, '<html>'])],
    [
      'half a fulfilment',
      (shop: Shop) =>
        (shop.answer = () => [200, { order: { status: 'PAID', shipments: { length: 0.5 }, paid: '1.00' } }]),
    ],
    [
      'an amount in words',
      (shop: Shop) => (shop.answer = () => [200, { order: { status: 'PAID', shipments: [], paid: 'ten' } }]),
    ],
    [
      'an invalid state',
      (shop: Shop) => (shop.answer = () => [200, { order: { status: null, shipments: [], paid: '1.00' } }]),
    ],
  ])('cannot read the state of an order from %s', async (_what, breakShop) => {
    breakShop(shop);
    await expect(loaded.adapter.orderState('7')).rejects.toBeInstanceOf(AdapterError);
  });

  it('reports an order that the shop does not know', async () => {
    shop.answer = () => [404, {}];
    await expect(loaded.adapter.orderState('7')).resolves.toEqual(NO_ORDER);
  });

  it('fails if the shop does not delete its orders', async () => {
    shop.answer = () => [500, 'out of order'];
    await expect(loaded.adapter.reset?.()).rejects.toBeInstanceOf(AdapterError);
  });

  it('cannot read the state of an order from a shop that is down', async () => {
    await shop.close();
    await expect(loaded.adapter.orderState('7')).rejects.toBeInstanceOf(AdapterError);
  });

  it('fails to place an order if the shop does not return its id', async () => {
    shop.answer = () => [201, { order: {} }];
    await expect(loaded.adapter.placeOrder({ ...ORDER, signal: newSignal() })).rejects.toBeInstanceOf(AdapterError);
  });

  it('stops waiting for an order once it is aborted', async () => {
    shop.answer = () => undefined;
    const giveUp = new AbortController();
    const placing = loaded.adapter.placeOrder({ ...ORDER, signal: giveUp.signal });
    giveUp.abort();
    await expect(placing).rejects.toThrow();
  });
});

it.each<[string, (folder: string) => string]>([
  ['an HTTP adapter', (folder) => writeTemplates(folder, 'http://127.0.0.1:1', { restart: true })],
  ['a program', (folder) => writeProgram(folder, '', { app: 'http://127.0.0.1:1', restart: true })],
])('%s with "restart": true lets the command start the shop again', async (_form, write) => {
  const { adapter, close } = await loadAdapter(write(newFolder()));
  let restarts = 0;
  await adapter.restart?.(async () => {
    restarts += 1;
  });
  expect(restarts).toBe(1);
  await expect(adapter.restart?.(undefined)).rejects.toThrow(/is for a shop that --command starts/);
  await close();
});

it.each(FORMS)('%s fails after its time limit if the shop does not answer', async (_form, write) => {
  const shop = await startShop();
  const folder = newFolder();
  const { adapter, close } = await loadAdapter(write(folder, shop.app), { limits: { callMs: 100, restartMs: 100 } });
  shop.answer = () => undefined;
  for (const call of [adapter.orderState, adapter.refund, adapter.cancel, adapter.reconcile, adapter.reset]) {
    await expect(call?.('7')).rejects.toThrow(/in time|within 0.1 seconds/);
  }
  await expect(adapter.restart?.(undefined)).rejects.toBeInstanceOf(AdapterError);
  await close();
  await shop.close();
});

it.each(FORMS)('the address from the command line replaces the one in %s', async (_form, write) => {
  const file = write(newFolder(), 'http://127.0.0.1:1');
  const shop = await startShop();
  const { adapter, close } = await loadAdapter(file, { app: shop.app });
  expect(adapter).toMatchObject({ app: shop.app, webhookUrl: `${shop.app}/webhook` });
  shop.answer = () => [200, { order: { status: 'PAID', shipments: [], paid: '1.00' } }];
  await expect(adapter.orderState('7')).resolves.toMatchObject({ state: 'PAID' });
  await close();
  expect(process.env).not.toHaveProperty('EXAMINE_APP');
  await shop.close();
});

it('functions of a module find the address from the command line in EXAMINE_APP when they are called', async () => {
  const file = join(newFolder(), 'examine.mjs');
  const state = '({ state: process.env.EXAMINE_APP, fulfilments: 0, paidAmount: null })';
  writeFileSync(file, `export const placeOrder = async () => ({ orderId: '1' }), orderState = async () => ${state};`);
  const { adapter, close } = await loadAdapter(file, { app: 'http://127.0.0.1:1' });
  await expect(adapter.orderState('1')).resolves.toMatchObject({ state: 'http://127.0.0.1:1' });
  await close();
  expect(process.env).not.toHaveProperty('EXAMINE_APP');
});

it('the address from the command line is not in the environment after an adapter could not be loaded', async () => {
  const file = join(newFolder(), 'examine.mjs');
  writeFileSync(file, 'export const app = 1;');
  await expect(loadAdapter(file, { app: 'http://127.0.0.1:1' })).rejects.toThrow(AdapterError);
  expect(process.env).not.toHaveProperty('EXAMINE_APP');
});

it.each(FORMS)('%s is refused if the address of its shop is invalid', async (_form, write) => {
  await expect(loadAdapter(write(newFolder(), 'here'))).rejects.toThrow(/address/);
});

it('the functions of a module may be synchronous, and their results are validated', async () => {
  const file = writeModule(
    newFolder(),
    `export const placeOrder = () => 7;
     export const orderState = (id) => ({ state: id, fulfilments: -1, paidAmount: 10.5 });
     export const refund = () => { throw new Error('at once'); };`,
  );
  const { adapter } = await loadAdapter(file);
  await expect(adapter.placeOrder({ ...ORDER, signal: newSignal() })).rejects.toThrow(/must resolve with .* not 7$/);
  await expect(adapter.orderState('7')).rejects.toThrow(/must resolve with .* not .*"paidAmount":10.5/);
  await expect(adapter.refund?.('7')).rejects.toThrow('at once');
  expect([adapter.reset, adapter.cancel, adapter.app]).toEqual([undefined, undefined, undefined]);
});

it.each([
  ['lacks a function', 'export const orderState = 1;', /must export a function placeOrder; .* orderState/],
  ['exports something other than a function', `${NEEDED} export const reset = 1;`, /reset must be a function/],
  ['has an address that is not a string', `${NEEDED} export const app = 1;`, /app must be a string/],
  ['cannot be loaded', 'import "nowhere";', /cannot be loaded/],
])('a module that %s is refused', async (_what, text, words) => {
  await expect(loadAdapter(writeModule(newFolder(), text))).rejects.toThrow(words);
});

it.each([
  [
    'a patience that is not a duration',
    "export const patience = 'long';",
    /patience must be a time such as "30s", not "long"/,
  ],
  ['a patience that is not a string', 'export const patience = 30;', /patience must be a string/],
  ['a value of reopens that is not a boolean', "export const reopens = 'yes';", /reopens must be true or false/],
])('an adapter with %s is refused', async (_what, text, words) => {
  await expect(loadAdapter(writeModule(newFolder(), `${NEEDED}\n${text}`))).rejects.toThrow(words);
});
