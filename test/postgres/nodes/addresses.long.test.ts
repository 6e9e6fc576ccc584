import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import pg from 'pg';
import { startProgram } from '../../running.ts';
import { NodesUnderTest, pay, referencesAt, withRetries } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();
const servers: (Server | ReturnType<typeof createTcpServer>)[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

/** Starts a server that is not a node, and resolves with its address. */
async function startForeignServer<Listening extends (typeof servers)[number]>(server: Listening): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [
    'a web server',
    () => createServer((_, response) => response.writeHead(404, { 'x-sandbox-answered': 'forged' }).end('elsewhere')),
  ],
  [
    'a server without HTTP',
    () =>
      createTcpServer((socket) => socket.on('error', () => {}).end('-ERR unknown command\r\n', () => socket.destroy())),
  ],
])('a call that would be forwarded to %s is refused, and the refusal names the wrong address', async (_, make) => {
  const data = await nodes.newDatabase();
  const address = await startForeignServer(make());
  const unreachable = await nodes.start(data, { nodeUrl: address });
  const node = await nodes.start(data);
  expect((await pay(unreachable.sessionUrl('shop'))).status).toBe(200);
  const answer = await fetch(`${node.sessionUrl('shop')}/_sandbox/payments`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(((await answer.json()) as { detail: string }).detail).toContain(
    `the server at ${address}, the address of the node that has the session, is not a node of this sandbox`,
  );
});

it('a node reports at its start an address that is wrong or in use, and different settings', async () => {
  const data = await nodes.newDatabase();
  const address = await startForeignServer(createServer((_, response) => response.end('elsewhere')));
  const one = await nodes.startProgram(data, '--node-url', address);
  const other = await startProgram(
    ...['start', '--port', '0', '--data', data, '--node-url', address, '--scenario', 'declined', '--seed', 'other'],
  );
  await other.end('SIGTERM');
  expect(one.output()).toContain(`this node does not reach itself at ${address}`);
  expect(other.output()).toContain(`another node is at ${address} as well`);
  expect(other.output()).toContain(`the node at ${address} has other fixtures, or other values of settings`);
});

it('nodes with the same settings and separate addresses report nothing', async () => {
  const data = await nodes.newDatabase();
  const outputs = [await nodes.startProgram(data), await nodes.startProgram(data)].map(({ output }) => output());
  expect(outputs.join('')).not.toMatch(/node/);
});

it('a call with an invalid session name is refused at each node', async () => {
  const [one, other] = await nodes.startPair();
  await pay(one.sessionUrl('shop'));
  for (const node of [one, other]) {
    const answer = await fetch(`${node.url}/s/a%00b/_sandbox/payments`);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is not a session name')]);
  }
});

it('an event reader follows its session to another node', async () => {
  const [one, other] = await nodes.startPair();
  await pay(one.sessionUrl('shop'));
  const events: string[] = [];
  const reading = (async () => {
    for await (const event of other.session('shop').events(0)) {
      events.push(`${event.type} ${event.subjectId}`);
      if (event.subjectId === 'payment-2') {
        return;
      }
    }
  })();
  while (events.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await nodes.close(one);
  await withRetries(() => pay(other.sessionUrl('shop'), 'ORDER-2'));
  await reading;
  expect(events).toEqual(['payment.created payment-1', 'payment.created payment-2']);
});

it('a node that cannot write to the database is not ready, with the reason, until it can', async () => {
  const data = await nodes.newDatabase();
  const node = await nodes.start(data, { nodeLease: 60_000 });
  await pay(node.sessionUrl('shop'));
  const owner = new pg.Client({ connectionString: data });
  await owner.connect();
  await owner.query('alter table sandbox.journal rename to journal_elsewhere');
  expect((await pay(node.sessionUrl('shop'), 'ORDER-2')).status).toBe(503);
  const health = async () => {
    const answer = await fetch(`${node.url}/_sandbox/health/ready`);
    return [answer.status, ((await answer.json()) as { reason?: string }).reason];
  };
  expect(await health()).toEqual([503, expect.stringMatching(/^the database rejects changes \(.*journal.*\)$/)]);
  await owner.query('alter table sandbox.journal_elsewhere rename to journal');
  await owner.end();
  await withRetries(() => pay(node.sessionUrl('shop'), 'ORDER-3'));
  expect(await health()).toEqual([200, undefined]);
  expect(await referencesAt(node.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-3']);
});
