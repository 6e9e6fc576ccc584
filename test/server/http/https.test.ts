import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import type { Settings } from '../../../src/server/config/settings.ts';
import { secureServerFor } from '../../../src/server/http/server.ts';
import { authorityIn, signFor } from '../../../src/server/http/tls/authority.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { fieldsOf } from '../payer-pages/visits.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const temporaryFolder = temporaryFolders();
const tlsFolder = join(temporaryFolder(), 'ca');

function start(settings: Partial<Settings> = {}): Promise<Sandbox> {
  return startSandbox({ httpsPort: 0, tlsFolder, now: NOW, ...settings });
}

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

interface Call extends Pick<RequestOptions, 'method' | 'servername' | 'agent' | 'lookup'> {
  headers?: Record<string, string>;
  body?: string;
}

/** One call by a client that trusts only this CA. */
async function call(
  address: string,
  trusted: string | undefined,
  { body = '', ...options }: Call = {},
): Promise<Answer> {
  const send = address.startsWith('https:') ? request : plainRequest;
  const sent = send(address, { agent: false, ca: trusted, ...options });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
  }
  return { status: response.statusCode, headers: response.headers, text };
}

let sandbox: Sandbox;
let ca: string;
let base: string;

beforeAll(async () => {
  sandbox = await start({ tlsHost: ['api.provider.example'] });
  ca = sandbox.caCertificate ?? '';
  base = sandbox.httpsUrl ?? '';
});
afterAll(() => sandbox.close());

const json = { 'content-type': 'application/json' };
const payment = (members: Record<string, unknown> = {}) =>
  JSON.stringify(exampleOf('requests/single-payment', members));
const WALLET = '/sandbox/init/authenticate/merchant/wallet';

it('the certificate covers loopback and the hosts of --tls-host, and is signed by the CA', async () => {
  const { port } = new URL(base);
  for (const servername of ['localhost', 'api.provider.example']) {
    const socket = connectSecurely({ port: Number(port), host: '127.0.0.1', servername, ca });
    await once(socket, 'secureConnect');
    expect([servername, socket.authorized]).toEqual([servername, true]);
    expect(socket.getPeerX509Certificate()?.verify(new X509Certificate(ca).publicKey)).toBe(true);
    socket.destroy();
  }
  expect((await call(`https://127.0.0.1:${port}/_sandbox/health`, ca, { servername: 'localhost' })).status).toBe(200);
  await expect(call(`${base}/`, undefined)).rejects.toThrow(/unable to (?:verify|get local)/);
  await expect(call(`${base}/`, ca, { servername: 'other.example' })).rejects.toThrow('other.example');
});

it('answers over HTTPS are the same bytes as over HTTP, including the HTTP addresses in them', async () => {
  const answers: string[] = [];
  for (const address of [sandbox.url, base]) {
    const post = { method: 'POST', headers: json, body: payment({ walletName: 'WALLET_CARD_A' }) };
    answers.push((await call(`${address}/s/one${WALLET}`, ca, post)).text);
    await sandbox.session('one').reset();
  }
  expect(answers[1]).toBe(answers[0]);
  expect(answers[0]).toContain(`"paymentRedirectUrl":"${sandbox.url}/s/one/pay/checkout`);
});

it('the addresses in answers use HTTPS if the public address does', async () => {
  const behind = await start({ publicUrl: 'https://pay.example:4443' });
  const { text } = await call(`${behind.httpsUrl}${WALLET}`, ca, {
    method: 'POST',
    headers: json,
    body: payment({ walletName: 'WALLET_CARD_A' }),
  });
  expect(text).toContain('"paymentRedirectUrl":"https://pay.example:4443/pay/checkout');
  const { port } = new URL(behind.httpsUrl ?? '');
  const answer = await call(`https://pay.example:${port}/_sandbox/payments`, ca, {
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  expect(answer.status).toBe(200);
  await behind.close();
});

it("the payer's page over HTTPS has working forms", async () => {
  const created = await call(`${base}/s/payer${WALLET}`, ca, {
    method: 'POST',
    headers: json,
    body: payment({ walletName: 'WALLET_MOBILE', payerMobile: '263770000001' }),
  });
  expect(created.status).toBe(200);
  const address = `${base}/s/payer/pay/phone/263770000001`;
  const page = await call(address, ca);
  const form = new URLSearchParams({ ...fieldsOf(page.text), pin: '1234', action: 'confirm' });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: base,
    'sec-fetch-site': 'same-origin',
  };
  const post = { method: 'POST', headers, body: form.toString() };
  const foreign = { ...headers, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await call(address, ca, { ...post, headers: foreign })).status).toBe(403);
  const { 'sec-fetch-site': _, ...old } = headers;
  expect((await call(address, ca, { ...post, headers: { ...old, origin: 'https://elsewhere.example' } })).status).toBe(
    403,
  );
  expect((await call(address, ca, { ...post, headers: old })).status).toBe(303);
  expect((await sandbox.session('payer').payment('payment-1')).state).toBe('Paid');
});

it("the sandbox's own pages can use the control API over HTTPS, and other pages cannot", async () => {
  const statusFor = async (headers: Record<string, string>) =>
    (await call(`${base}/_sandbox/payments`, ca, { headers, servername: 'localhost' })).status;
  expect(await statusFor({ origin: base })).toBe(200);
  expect(await statusFor({ origin: 'https://elsewhere.example' })).toBe(403);
  expect(await statusFor({ origin: sandbox.url })).toBe(403);
  expect(await statusFor({ host: 'elsewhere.example' })).toBe(403);
  expect(await statusFor({ host: 'api.provider.example' })).toBe(200);
});

it('the event stream works over HTTPS', async () => {
  const sent = request(`${base}/s/stream/_sandbox/events`, { ca, agent: new Agent() });
  await sandbox.session('stream').reset();
  sent.end();
  const [response] = await once(sent, 'response');
  expect(response.headers['content-type']).toBe('text/event-stream');
  const event = new Promise<string>((resolve) =>
    response.on('data', (chunk: Buffer) => String(chunk).includes('payment.created') && resolve(String(chunk))),
  );
  await fetch(`${sandbox.sessionUrl('stream')}${WALLET}`, { method: 'POST', headers: json, body: payment() });
  expect(await event).toContain('event: payment.created');
  sent.destroy();
});

describe('the certificate of the CA', () => {
  it('is sent to all callers without its key, with the media type that makes devices offer to trust it', async () => {
    const open = await start({ host: '0.0.0.0', controlToken: 'a-token' });
    for (const address of [open.url, open.httpsUrl, `${open.url}/s/any`]) {
      const { status, headers, text } = await call(`${address}/_sandbox/ca.pem`, ca);
      expect([status, headers['content-type'], text]).toEqual([200, 'application/x-x509-ca-cert', ca]);
    }
    expect((await fetch(`${open.url}/_sandbox/payments`)).status).toBe(401);
    expect(ca).not.toContain('PRIVATE');
    await open.close();
  });

  it('is the same for all sandboxes of a machine, in the same file', async () => {
    const other = await start();
    expect([other.caCertificate, other.caFile]).toEqual([ca, join(tlsFolder, 'ca.pem')]);
    expect((await call(`${other.httpsUrl}/_sandbox/health`, ca)).status).toBe(200);
    await other.close();
  });

  it("is not found without HTTPS, or with a user's certificate", async () => {
    const pair = await signFor(
      await authorityIn(join(temporaryFolder(), 'own'), Date.now()),
      ['localhost'],
      Date.now(),
    );
    const folder = temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(tlsCert, pair.certificate);
    writeFileSync(tlsKey, pair.key);
    for (const settings of [
      { httpsPort: undefined, tlsFolder: undefined },
      { tlsCert, tlsKey, tlsFolder: undefined },
    ]) {
      const otherSandbox = await start(settings);
      expect([otherSandbox.caCertificate, otherSandbox.caFile]).toEqual([undefined, undefined]);
      const answer = await fetch(`${otherSandbox.url}/_sandbox/ca.pem`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
      expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('this sandbox has no CA') });
      await otherSandbox.close();
    }
  });
});

it("a user's certificate is used if one is given", async () => {
  const folder = temporaryFolder();
  const authority = await authorityIn(join(folder, 'ca'), Date.now());
  const pair = await signFor(authority, ['localhost'], Date.now());
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(tlsCert, pair.certificate);
  writeFileSync(tlsKey, pair.key);
  const otherSandbox = await start({ tlsCert, tlsKey, tlsFolder: undefined });
  const { port } = new URL(otherSandbox.httpsUrl ?? '');
  expect(
    (await call(`https://127.0.0.1:${port}/_sandbox/health`, authority.certificate, { servername: 'localhost' }))
      .status,
  ).toBe(200);
  await expect(call(`https://127.0.0.1:${port}/`, ca, { servername: 'localhost' })).rejects.toThrow();
  await otherSandbox.close();
});

describe('a stop', () => {
  it('does not wait for clients without a complete handshake, or with only an idle connection', async () => {
    const otherSandbox = await start();
    const { port } = new URL(otherSandbox.httpsUrl ?? '');
    const silent = connect(Number(port), '127.0.0.1');
    const partial = connect(Number(port), '127.0.0.1');
    await Promise.all([once(silent, 'connect'), once(partial, 'connect')]);
    partial.on('error', () => undefined).write(Buffer.from([22, 3, 1, 2, 0]));
    const agent = new Agent({ keepAlive: true });
    const response = await call(`${otherSandbox.httpsUrl}/_sandbox/health`, ca, { agent });
    expect(response.headers['connection']).toBe('keep-alive');
    const ends = [once(silent, 'close'), once(partial, 'close')];
    await otherSandbox.close();
    await Promise.all(ends);
    agent.destroy();
    await expect(call(`${otherSandbox.httpsUrl}/_sandbox/health`, ca)).rejects.toThrow('ECONNREFUSED');
    await expect(fetch(`${otherSandbox.url}/_sandbox/health`)).rejects.toThrow();
  });
});

it('a connection without a TLS handshake is closed after a timeout', async () => {
  const pair = await signFor(await authorityIn(tlsFolder, Date.now()), ['localhost'], Date.now());
  const quick = { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10, handshakeTimeout: 20 };
  const server = secureServerFor(() => undefined, pair, quick);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
});

describe('an HTTPS port', () => {
  it('that is taken prevents the start, and nothing listens', async () => {
    const busyServer = createServer().listen(0, '127.0.0.1');
    await once(busyServer, 'listening');
    const { port: httpsPort } = busyServer.address() as AddressInfo;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    await expect(start({ port, httpsPort })).rejects.toMatchObject({ code: 'EADDRINUSE', scheme: 'https' });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    busyServer.close();
  });
});

it.each<[Partial<Settings>, string]>([
  [{ tlsCert: 'a.pem' }, '--tls-cert also needs --tls-key: a certificate of your own and its private key'],
  [{ tlsKey: 'a.pem' }, '--tls-key also needs --tls-cert: a certificate of your own and its private key'],
  [{ httpsPort: undefined }, '--tls-folder is for HTTPS; also name its port with --https-port'],
  [
    { httpsPort: undefined, tlsFolder: undefined, tlsHost: ['a.example'] },
    '--tls-host is for HTTPS; also name its port with --https-port',
  ],
  [{ port: 4100, httpsPort: 4100 }, '--https-port must be another port than --port, not 4100 as well'],
])('settings that contradict each other are refused: %j', async (settings, words) => {
  await expect(start(settings)).rejects.toThrow(words);
});
