import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { AdapterError } from '../../../src/examine/shop/adapter.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { TEMPLATES, writeTemplates } from './forms.ts';
import { type Shop, startShop } from './shop.ts';

const folder = temporaryFolders()();
const ORDER = { amount: '10.50', currency: 'USD', channel: 'mobile-money', payer: { name: 'Ann', mobile: '26377' } };
const order = () => ({ ...ORDER, signal: new AbortController().signal });

let shop: Shop;
beforeEach(async () => {
  shop = await startShop();
});
afterEach(() => shop.close());

async function loadTemplates(changes: object = {}) {
  return (await loadAdapter(writeTemplates(folder, shop.app, changes))).adapter;
}

/** Reads the state of an order from this answer of the shop, with templates. */
async function stateFrom(body: unknown, unit = {}) {
  shop.answer = () => [200, body];
  const answer = { state: 'data[0].state', fulfilments: 'data[0].sent', paidAmount: 'data[0]["paid-amount"]', ...unit };
  return (await loadTemplates({ orderState: { url: '/orders/{{orderId}}', answer } })).orderState('7');
}

it.each([
  ['a text', '10.50', {}, '10.50'],
  ['a text with one place', '10.5', {}, '10.50'],
  ['a number', 10.5, {}, '10.50'],
  ['a whole number', 1050, {}, '1050.00'],
  ['a number in minor units', 1050, { paidAmountUnit: 'minor' }, '10.50'],
  ['a text in minor units', '1050', { paidAmountUnit: 'minor' }, '10.50'],
  ['null', null, {}, '0.00'],
])('the HTTP adapter reads an amount that is %s', async (_what, paid, unit, expected) => {
  const state = await stateFrom({ data: [{ state: 'PAID', sent: 1, 'paid-amount': paid }] }, unit);
  expect(state).toEqual({ state: 'PAID', fulfilments: 1, paidAmount: expected });
});

it.each([
  ['a number', 3, 3],
  ['a list', [{}, {}], 2],
  ['null', null, 0],
])('the HTTP adapter reads the number of fulfilments from %s', async (_what, sent, expected) => {
  const state = await stateFrom({ data: [{ state: 7, sent, 'paid-amount': 1 }] });
  expect(state).toEqual({ state: '7', fulfilments: expected, paidAmount: '1.00' });
});

it.each([
  ['a missing member', {}, /data\[0\]\.state of the answer/],
  ['a state that is a list', { state: [], sent: 1, 'paid-amount': 1 }, /the shop's own state/],
  [
    'a count that is true',
    { state: 'x', sent: true, 'paid-amount': 1 },
    /data\[0\]\.sent of the answer must be an integer, an array/,
  ],
  ['a count below zero', { state: 'x', sent: -1, 'paid-amount': 1 }, /an integer/],
  ['no amount', { state: 'x', sent: 1 }, /paid-amount.* "10\.50", or null/],
  ['an amount with three places', { state: 'x', sent: 1, 'paid-amount': '1.005' }, /such as "10\.50"/],
  ['an amount below zero', { state: 'x', sent: 1, 'paid-amount': -1 }, /such as "10\.50"/],
])('the HTTP adapter rejects the state of an order with %s', async (_what, orderBody, words) => {
  const state = stateFrom({ data: [orderBody] });
  await expect(state).rejects.toBeInstanceOf(AdapterError);
  await expect(state).rejects.toThrow(words);
});

it('the HTTP adapter does not accept a fraction as minor units', async () => {
  const state = stateFrom({ data: [{ state: 'x', sent: 1, 'paid-amount': 10.5 }] }, { paidAmountUnit: 'minor' });
  await expect(state).rejects.toThrow(/minor units such as 1050/);
});

it('the HTTP adapter sends a text that is only a number placeholder as a number, and the given headers', async () => {
  const body = {
    total: '{{ amount.number }}',
    cents: ['{{amount.minorUnits}}'],
    text: '{{amount.number}} {{currency}}',
  };
  const headers = { 'X-Payer': '{{payer.name}}', 'Content-Type': 'application/vnd.shop+json' };
  const placeOrder = {
    ...TEMPLATES.placeOrder,
    url: '/orders?by={{channel}}&to={{payer.name}}',
    method: 'PUT',
    headers,
    body,
  };
  const adapter = await loadTemplates({ placeOrder });
  shop.answer = () => [200, { order: { id: 17 } }];
  const placed = await adapter.placeOrder({ ...order(), payer: { name: 'A&B', mobile: '1' } });
  expect(placed).toEqual({ orderId: '17' });
  expect(shop.requests).toEqual(['PUT /orders?by=mobile-money&to=A%26B']);
  expect(shop.lastHeaders).toMatchObject({ 'x-payer': 'A&B', 'content-type': 'application/vnd.shop+json' });
  expect(JSON.parse(shop.lastBody)).toEqual({ total: 10.5, cents: [1050], text: '10.5 USD' });
});

it('a redirect counts as a refused order', async () => {
  shop.answer = () => [303, 'see there'];
  const refusal = await (await loadTemplates()).placeOrder(order()).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ message: expect.stringMatching(/POST .*\/orders was answered 303: see there/) });
  expect(refusal).not.toBeInstanceOf(AdapterError);
});

it('a broken connection counts as a refused order, unless the shop is down', async () => {
  const adapter = await loadTemplates();
  shop.answer = () => 'break';
  const refusal = await adapter.placeOrder(order()).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ message: expect.stringContaining('POST http') });
  expect(refusal).not.toBeInstanceOf(AdapterError);
  await shop.close();
  await expect(adapter.placeOrder(order())).rejects.toBeInstanceOf(AdapterError);
});

it('an endless answer is only read up to the size limit', async () => {
  const endless = createServer((_request, response) => {
    const more = () => response.write('a'.repeat(64 * 1024), () => response.destroyed || setImmediate(more));
    more();
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const app = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  const { adapter } = await loadAdapter(writeTemplates(folder, app, {}));
  await expect(adapter.orderState('7')).rejects.toThrow('the answer has more than 1048576 bytes');
  endless.close();
});

it('an HTTP adapter can use environment variables, or their defaults', async () => {
  process.env['SHOP_PORT'] = new URL(shop.app).port;
  const app = 'http://{{env.SHOP_HOST:-127.0.0.1}}:{{ env.SHOP_PORT }}';
  const { adapter } = await loadAdapter(writeTemplates(folder, app, { notes: ['{{anything}}'] }));
  expect(adapter.app).toBe(shop.app);
  delete process.env['SHOP_PORT'];
  const refused = loadAdapter(writeTemplates(folder, app));
  await expect(refused).rejects.toThrow(
    '$.app: {{ env.SHOP_PORT }} is not set; use {{env.SHOP_PORT:-…}} to give a default',
  );
});

it.each([
  ['lacks a call', { orderState: undefined }, /\$\.orderState: expected an object \(request that returns the state/],
  ['has an unknown call', { orderStat: {} }, /\$\.orderStat: .*did you mean orderState/],
  ['has no path to the id in the answer', { placeOrder: { url: '/', answer: {} } }, /\$\.placeOrder\.answer\.orderId/],
  [
    'has an invalid path',
    { placeOrder: { url: '/', answer: { orderId: 'order-id' } } },
    /\$\.placeOrder\.answer\.orderId.*e\.g\. "order\.id"/,
  ],
  ['has an unknown method', { reset: { url: '/', method: 'POKE' } }, /\$\.reset\.method: expected one of GET, POST/],
  [
    'sends a body with GET',
    { orderState: { ...TEMPLATES.orderState, body: {} } },
    /\$\.orderState\.body: a GET request has no body/,
  ],
  [
    'misspells a placeholder',
    { placeOrder: { ...TEMPLATES.placeOrder, body: { a: ['{{amonut}}'] } } },
    /\$\.placeOrder\.body\.a\[0\]: unknown placeholder \{\{amonut\}\}, did you mean amount\?/,
  ],
  [
    'uses the id of an order before it exists',
    { placeOrder: { ...TEMPLATES.placeOrder, url: '/{{orderId}}' } },
    /\$\.placeOrder\.url: unknown placeholder \{\{orderId\}\}/,
  ],
  [
    'lacks the address of the shop',
    { app: undefined },
    /\$\.placeOrder\.url: "\/orders" is relative: set app to the address of the shop, or use --app/,
  ],
])('an HTTP adapter that %s is refused', async (_what, changes, words) => {
  const file = writeTemplates(folder, shop.app, changes);
  await expect(loadAdapter(file)).rejects.toThrow(words);
  await expect(loadAdapter(file)).rejects.toBeInstanceOf(AdapterError);
});

it('an HTTP adapter that is not JSON is refused with the place and a suggestion', async () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{\r\n  "app": "x",\r\n}');
  await expect(loadAdapter(file)).rejects.toThrow(
    /broken\.json cannot be loaded: it is not JSON: at line 3, .*; remove the comma before it$/,
  );
});

it('an HTTP adapter may have a byte order mark and CRLF, and an error in it is reported with its line', async () => {
  const text = readFileSync(writeTemplates(folder, shop.app, {}), 'utf8');
  const file = join(folder, 'marked.json');
  writeFileSync(file, `\uFEFF${JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n')}`);
  await (await loadAdapter(file)).close();
  writeFileSync(file, `\uFEFF${JSON.stringify({ ...JSON.parse(text), orderStat: {} }, null, 2)}`);
  await expect(loadAdapter(file)).rejects.toThrow(/\$\.orderStat: .* \(line \d+\)$/);
});
