import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { AdapterError } from '../../../src/examine/shop/adapter.ts';
import { assertNotTlsError } from '../../../src/examine/shop/certificate.ts';
import { isAnswering } from '../../../src/examine/shop/shop-process.ts';
import { authorityIn, signFor } from '../../../src/server/http/tls/authority.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { writeModule, writeTemplates } from '../adapters/forms.ts';

const newFolder = temporaryFolders();
const WORDS = /^the certificate of the shop is not trusted \(.+\): name its CA in NODE_EXTRA_CA_CERTS$/;
const ORDER = { amount: '10.50', currency: 'USD', channel: 'mobile-money', payer: { name: 'Ann', mobile: '26377' } };

const authority = await authorityIn(join(newFolder(), 'ca'), Date.now());
const { key, certificate } = await signFor(authority, ['127.0.0.1'], Date.now());
const server = createServer({ key, cert: certificate }, (_request, response) => response.end('{}'));
let app: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  app = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('a shop with an untrusted certificate is refused at once, with the setting that helps', async () => {
  await expect(isAnswering(app)).rejects.toThrow(WORDS);
});

it('an HTTP adapter reports the certificate, not a refusal of the order', async () => {
  const { adapter } = await loadAdapter(writeTemplates(newFolder(), app, {}));
  const placing = adapter.placeOrder({ ...ORDER, signal: new AbortController().signal });
  await expect(placing).rejects.toBeInstanceOf(AdapterError);
  await expect(adapter.orderState('7')).rejects.toThrow(WORDS);
});

it('an adapter whose code calls fetch reports the certificate, too', async () => {
  const text = `export const placeOrder = () => {}, orderState = () => fetch('${app}');`;
  const { adapter } = await loadAdapter(writeModule(newFolder(), text));
  await expect(adapter.orderState('7')).rejects.toThrow(WORDS);
});

it('a broken connection is not reported as a problem of the certificate', () => {
  expect(() => assertNotTlsError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))).not.toThrow();
});
