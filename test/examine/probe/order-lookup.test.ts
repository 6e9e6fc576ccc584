import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOrderLookup } from '../../../src/examine/probe/order-lookup.ts';

const PAID = { state: 'paid', fulfilments: 1, paidAmount: '10.00' };
const UNKNOWN = { state: 'no such order', fulfilments: 0, paidAmount: '0.00' };
const NODE = `"${process.execPath}"`;

/** Answers `/<status>/<text>` with this status and text. */
const server = createServer((request, response) => {
  const [, status, text = ''] = (request.url ?? '').split('/');
  const location = Number(status) === 302 ? { Location: `/200/${text}` } : {};
  response.writeHead(Number(status), location).end(decodeURIComponent(text));
});
let address: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('a lookup by address requests the order; 404 and null mean that it does not exist', async () => {
  expect(await createOrderLookup(`${address}/200/{reference}`)(JSON.stringify(PAID))).toEqual(PAID);
  expect(await createOrderLookup(`${address}/404/{reference}`)('ORDER-1')).toEqual(UNKNOWN);
  expect(await createOrderLookup(`${address}/200/{reference}`)('null')).toEqual(UNKNOWN);
});

it('a lookup follows redirects, and gives up on endless redirects and answers', async () => {
  expect(await createOrderLookup(`${address}/302/{reference}`)(JSON.stringify(PAID))).toEqual(PAID);
  const endless = createServer((request, response) => {
    if (request.url === '/loop/1') {
      response.writeHead(302, { Location: '/loop/1' }).end();
      return;
    }
    const more = () => response.write('a'.repeat(64 * 1024), () => response.destroyed || setImmediate(more));
    more();
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const at = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  await expect(createOrderLookup(`${at}/loop/{reference}`)('1')).rejects.toThrow('it redirects more than 20 times');
  await expect(createOrderLookup(`${at}/text/{reference}`)('1')).rejects.toThrow(
    'the answer has more than 1048576 bytes',
  );
  endless.close();
});

it('a lookup by command runs the command for the order', async () => {
  const command = `${NODE} -p "JSON.stringify({ state: process.argv[1], fulfilments: 1, paidAmount: '10.00' })" {reference}`;
  expect(await createOrderLookup(command)('ORDER-7')).toEqual({ ...PAID, state: 'ORDER-7' });
  expect(await createOrderLookup(`${NODE} -p null {reference}`)('ORDER-1')).toEqual(UNKNOWN);
});

it('replacement patterns in a reference reach the command of a lookup unchanged', async () => {
  // Double quotes protect these characters from the shells of all systems.
  const command = `${NODE} -p "JSON.stringify({ state: process.argv[1], fulfilments: 1, paidAmount: '10.00' })" "{reference}"`;
  expect((await createOrderLookup(command)("A$&B$'C")).state).toBe("A$&B$'C");
});

it.each([
  ['an address that fails', '500/{reference}', /answered 500/],
  ['text that is not JSON', '200/{reference}', /must answer with JSON, not "ORDER-1"/],
])('a lookup rejects %s', async (_what, path, words) => {
  await expect(createOrderLookup(`${address}/${path}`)('ORDER-1')).rejects.toThrow(words);
});

it('a lookup fails if its command fails', async () => {
  await expect(createOrderLookup(`${NODE} -e "process.exit(3)" {reference}`)('ORDER-1')).rejects.toThrow(
    'Command failed',
  );
});

it('a check without a placeholder for the reference, or with an invalid address, is refused', () => {
  expect(() => createOrderLookup('cat orders.json')).toThrow('{reference}');
  expect(() => createOrderLookup('http://[/{reference}')).toThrow('not a valid URL');
});
