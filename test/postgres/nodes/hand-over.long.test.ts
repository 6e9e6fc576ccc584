import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { endOfTurn } from '../../../src/base/timers.ts';
import { Forwarder } from '../../../src/postgres/nodes/forwarder.ts';
import { startReceiver } from '../../server/domain/webhooks/receiver.ts';
import { NodesUnderTest, pay, paymentBody, referencesAt, withRetries } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();
const JSON_BODY = { 'content-type': 'application/json' };

async function query(url: string, statement: string): Promise<Record<string, string | null>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it('a session is not released during one of its deliveries', async () => {
  const heldResponses: { end(): void }[] = [];
  const receiver = await startReceiver((_call, response) => heldResponses.push(response));
  const data = await nodes.newDatabase();
  const node = await nodes.start(data, { sessionIdle: 100, webhookUrl: receiver.url });
  await pay(node.sessionUrl('shop'));
  await node.session('shop').settle('ORDER-1', 'Paid');
  await receiver.arrived;
  // A session that was used later, without deliveries under way, is released by the same search.
  await pay(node.sessionUrl('kiosk'));
  const ownerOf = async (session: string) =>
    (await query(data, `select owner from sandbox.session where name = '${session}'`))[0]?.['owner'];
  while ((await ownerOf('kiosk')) !== null) {
    // The search for idle sessions runs every second.
  }
  expect(await ownerOf('shop')).not.toBeNull();
  heldResponses[0]?.end();
  while ((await ownerOf('shop')) !== null) {
    // It is released once the delivery has ended.
  }
  const { items } = await (
    await withRetries(() => fetch(`${node.sessionUrl('shop')}/_sandbox/webhooks/deliveries`))
  ).json();
  expect(items[0].attempts).toEqual([expect.objectContaining({ status: 200 })]);
  await receiver.close();
});

it('an idle session keeps its data when the creation of another one with its name is refused, and answers its next call', async () => {
  const data = await nodes.newDatabase();
  const first = await nodes.start(data);
  await pay(first.sessionUrl('shop'), 'ORDER-1');
  await nodes.close(first);
  const node = await nodes.start(data);
  const createRequest = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ name: 'shop' }) };
  expect((await fetch(`${node.url}/_sandbox/sessions`, createRequest)).status).toBe(409);
  expect(await referencesAt(node.sessionUrl('shop'))).toEqual(['ORDER-1']);
  await pay(node.sessionUrl('shop'), 'ORDER-2');
  expect(await referencesAt(node.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
});

it('sessions are listed in their stored state, without changes that are not stored yet', async () => {
  const [node, other] = await nodes.startPair();
  await pay(node.sessionUrl('shop'));
  const scenarios = () =>
    Promise.all(
      [node, other].map(async ({ url }) => {
        const { items } = await (await fetch(`${url}/_sandbox/sessions`)).json();
        return items.find(({ name }: { name: string }) => name === 'shop').scenario;
      }),
    );
  const holder = new pg.Client({ connectionString: node.settings.data });
  await holder.connect();
  await holder.query('begin; lock table sandbox.journal in exclusive mode');
  const changeRequest = { method: 'PUT', headers: JSON_BODY, body: JSON.stringify({ name: 'auto-approve' }) };
  const change = fetch(`${node.sessionUrl('shop')}/_sandbox/scenario`, changeRequest);
  while ((await holder.query('select from pg_locks where not granted')).rowCount === 0) {
    // The change is not waiting for the lock yet.
  }
  expect(await scenarios()).toEqual(['payer-decides', 'payer-decides']);
  await holder.end();
  expect((await change).status).toBe(200);
  expect(await scenarios()).toEqual(['auto-approve', 'auto-approve']);
});

it('a fork that fails because the disk of the database is full does not exist, and can be created once there is space', async () => {
  const data = await nodes.newDatabase();
  const node = await nodes.start(data);
  await pay(node.sessionUrl('shop'));
  await query(
    data,
    `create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100';
    end $$`,
  );
  await query(
    data,
    `create trigger full_disk before insert on sandbox.journal for each row
      when (new.lines like '%"wipe"%') execute function full_disk()`,
  );
  const forkRequest = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ as: 'copy' }) };
  const fork = async () =>
    (await withRetries(() => fetch(`${node.url}/_sandbox/sessions/shop/fork`, forkRequest))).status;
  const refusal = await fetch(`${node.url}/_sandbox/sessions/shop/fork`, forkRequest);
  expect([refusal.status, (await refusal.json()).detail]).toEqual([
    503,
    expect.stringContaining('could not extend file'),
  ]);
  const { items } = await (await fetch(`${node.url}/_sandbox/sessions`)).json();
  expect(items.map(({ name }: { name: string }) => name)).not.toContain('copy');
  await query(data, 'drop trigger full_disk on sandbox.journal');
  expect(await fork()).toBe(200);
  expect(await referencesAt(node.sessionUrl('copy'))).toEqual(['ORDER-1']);
});

it('a forwarded call is refused by a node without its session, instead of being forwarded again', async () => {
  const data = await nodes.newDatabase();
  const [one, other] = [await nodes.start(data), await nodes.start(data)];
  await pay(one.sessionUrl('shop'));
  const [installation] = await query(data, 'select key from sandbox.installation');
  const forwarder = new Forwarder(Buffer.from(installation?.['key'] ?? '', 'hex'));
  const unexpected = () => {
    throw new Error('the other node answers');
  };
  // Acts as a node that assumes that the other one has the session.
  const mistakenNode = createServer((request, response) =>
    forwarder.forward(request, response, other.url, {
      onMoved: () => undefined,
      onUnreachable: unexpected,
      onUnanswered: unexpected,
      onForeignServer: unexpected,
    }),
  );
  await new Promise<void>((resolve) => mistakenNode.listen(0, '127.0.0.1', resolve));
  const { port } = mistakenNode.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/s/shop/_sandbox/payments`);
  expect([answer.status, ((await answer.json()) as { title: string }).title]).toEqual([503, 'moved']);
  forwarder.close();
  await new Promise((resolve) => mistakenNode.close(resolve));
});

it('a stopping node completes its calls before it hands their session over', async () => {
  const [one, other] = await nodes.startPair();
  await pay(one.sessionUrl('shop'));
  const body = paymentBody('ORDER-2');
  const call = httpRequest(`${one.sessionUrl('shop')}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  });
  // By then, the node has received the call, and waits for its body.
  const arrival = new Promise((resolve) => call.once('continue', resolve));
  const status = new Promise<number>((resolve) => {
    call.once('response', (response) => resolve(response.resume().statusCode ?? 0));
  });
  call.write(body.slice(0, 20));
  await arrival;
  const closing = nodes.close(one);
  // A session without active calls would be handed over in this time.
  for (let turn = 0; turn < 10; turn += 1) {
    await endOfTurn();
  }
  call.end(body.slice(20));
  expect(await status).toBe(200);
  await closing;
  expect(await referencesAt(other.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
});
