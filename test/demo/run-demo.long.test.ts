import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { SandboxClient } from '../../src/client/client.ts';
import { freePort, type Running, runProgram, spawnProgram, startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

const addressIn = (output: string, name: string) => new RegExp(`^ +${name} +(http\\S+)$`, 'm').exec(output)?.[1] ?? '';

/** The payments without their times. */
async function paymentsOf(client: SandboxClient) {
  const { items } = await client.payments({ limit: '1000' });
  return items.map(({ id, payerReference, payerName, amount, state, paymentId }) =>
    [id, payerReference, payerName, amount, state, paymentId].join(' '),
  );
}

describe('a demo', () => {
  let demo: Running;
  let port: number;
  let client: SandboxClient;
  let initialPayments: string[];

  beforeAll(async () => {
    port = await freePort(2);
    demo = await startProgram('demo', '--port', String(port));
    client = new SandboxClient({ url: `http://127.0.0.1:${port}` });
    initialPayments = await paymentsOf(client);
  });
  afterAll(() => demo.end('SIGTERM'));

  it('prints the addresses of the shop and the console, and both answer', async () => {
    expect(addressIn(demo.output(), 'shop')).toBe(`http://127.0.0.1:${port + 1}/`);
    expect(addressIn(demo.output(), 'console')).toBe(`http://127.0.0.1:${port}/_sandbox/`);
    expect(await (await fetch(addressIn(demo.output(), 'shop'))).text()).toContain('House blend');
    expect(initialPayments).toHaveLength(90);
  });

  it('has a shop that refuses malformed requests, and prints no stack trace', async () => {
    const shop = addressIn(demo.output(), 'shop');
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(`${shop}${path}`, init)).status;
    const post = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect(await Promise.all(['orders/%', 'orders/%E0%A4%A', 'buy/%', '/', '%'].map((path) => statusOf(path)))).toEqual(
      [404, 404, 404, 404, 404],
    );
    expect(
      await Promise.all(['{', 'null', `"${'x'.repeat(70_000)}"`].map((body) => statusOf('orders', post(body)))),
    ).toEqual([400, 400, 413]);
    expect(await statusOf('orders', post('{"item":"mug","name":7,"mobile":{}}'))).toBe(422);
    expect(demo.output()).not.toMatch(/^ +at /m);
  });

  it('has a running clock after the sample week', async () => {
    expect(await client.clock()).toMatchObject({ mode: 'real', ahead: null });
  });

  it('is not changed by a second start at its port, which prints its addresses', async () => {
    await client.settle('ORDER-2101', 'Paid');
    const { code, stdout } = await runProgram(['demo', '--port', String(port)]);
    expect([code, addressIn(stdout, 'shop')]).toEqual([0, `http://127.0.0.1:${port + 1}/`]);
    expect(await client.payment('ORDER-2101')).toMatchObject({ state: 'Paid' });
  });

  it('is reset by --reset, with its shop', async () => {
    const { endpoints } = await client.endpoints();
    await client.useScenario('declined');
    const form = new URLSearchParams({
      item: 'mug',
      channel: 'qr-wallet',
      name: 'Ann Payer',
      mobile: '263770000001',
    });
    const shop = `http://127.0.0.1:${port + 1}`;
    await fetch(`${shop}/orders`, { method: 'POST', body: form });
    expect(await (await fetch(shop)).text()).toContain('WEB-1');
    expect(await paymentsOf(client)).toHaveLength(91);

    const { code, stdout } = await runProgram(['demo', '--port', String(port), '--reset']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'The demo was reset.']);
    expect(await paymentsOf(client)).toEqual(initialPayments);
    expect(await client.currentScenario()).toMatchObject({ name: 'payer-decides' });
    expect((await client.endpoints()).endpoints).toEqual(endpoints);
    expect(await (await fetch(shop)).text()).not.toContain('WEB-1');
  });
});

it('the demo reports that its port is in use by another program or another sandbox', async () => {
  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = (other.address() as { port: number }).port;
  const busy = await runProgram(['demo', '--port', String(port)]);
  other.close();
  expect([busy.code, busy.stderr]).toEqual([
    2,
    expect.stringMatching(
      /port \d+ is in use, perhaps by another sandbox: stop that, or choose another port with --port/,
    ),
  ]);

  const sandbox = await startProgram('start', '--port', '0', '--data', ':memory:');
  const result = await runProgram(['demo', '--port', new URL(sandbox.url).port]);
  await sandbox.end('SIGTERM');
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('a sandbox that is not a demo is running')]);
});

it.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://shop.example/',
  'http://127.0.0.1.example/',
  '\u001b]0;title\u0007',
  7,
  null,
])('%j is neither printed nor opened if a program at the port names it as the shop', async (shop) => {
  const peer = createServer((request, response) =>
    response.end(JSON.stringify(request.url?.endsWith('/health') ? { status: 'ok', version: '1.0.0' } : { shop })),
  ).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const { code, stdout, stderr } = await runProgram([
    'demo',
    '--port',
    String((peer.address() as { port: number }).port),
  ]);
  peer.close();
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('a sandbox that is not a demo is running')]);
});

it('only the origin of a shop is printed', async () => {
  const shop = 'http://127.0.0.1:9/\u001b[31m?a=b&calc';
  const peer = createServer((request, response) =>
    response.end(JSON.stringify(request.url?.endsWith('/health') ? { status: 'ok', version: '1.0.0' } : { shop })),
  ).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const { code, stdout } = await runProgram(['demo', '--port', String((peer.address() as { port: number }).port)]);
  peer.close();
  expect([code, addressIn(stdout, 'shop')]).toEqual([0, 'http://127.0.0.1:9/']);
});

it('the highest port is refused, because it leaves none for the shop', async () => {
  const { code, stderr } = await runProgram(['demo', '--port', '65535']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--port must be a whole number from 0 to 65534')]);
});

it('the modules of the demo are loaded only by the demo', async () => {
  const folder = temporaryFolder();
  const probe = join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    'process.on("exit", () => require("node:fs").writeFileSync(process.env.LOADED, Object.keys(require.cache).join("\\n")));',
  );
  const loadedBy = async (...args: string[]) => {
    const file = join(folder, args[0] ?? '');
    const child = spawnProgram(args, { NODE_OPTIONS: `--require ${probe}`, LOADED: file });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    while (!/_sandbox/.test(output)) {
      await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    }
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    return readFileSync(file, 'utf8');
  };
  expect(await loadedBy('start', '--port', '0', '--data', ':memory:')).not.toMatch(/week\.cjs|storefront/);
  expect(await loadedBy('demo', '--port', '0')).toMatch(/week\.cjs/);
});
