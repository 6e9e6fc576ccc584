import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { NodesUnderTest, pay, payWithRetries, referencesAt, withRetries } from './nodes-under-test.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const nodes = new NodesUnderTest();

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Retries, as clients should, because a node that was slow to renew its lease refuses calls until it has. */
const call = (...request: Parameters<typeof fetch>) => withRetries(() => fetch(...request));

const problemOf = async (answer: Response) => [answer.status, ((await answer.json()) as { title: string }).title];

describe('two nodes', () => {
  it('share a session: each shows the payments that were made at both', async () => {
    const [one, other] = await nodes.startPair();
    expect((await payWithRetries(one.sessionUrl('shop'), 'ORDER-1')).status).toBe(200);
    expect((await payWithRetries(other.sessionUrl('shop'), 'ORDER-2')).status).toBe(200);
    expect(await referencesAt(one.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
    expect(await referencesAt(other.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
  });

  it('create a session once, even if both are called at the same time', async () => {
    const [one, other] = await nodes.startPair();
    const references = Array.from({ length: 20 }, (_, index) => `ORDER-${index}`);
    const answers = await Promise.all(
      references.map((reference, index) => payWithRetries((index % 2 ? other : one).sessionUrl('rush'), reference)),
    );
    expect(answers.map(({ status }) => status)).toEqual(references.map(() => 200));
    expect((await referencesAt(other.sessionUrl('rush'))).sort()).toEqual(references.toSorted());
  });

  it('answer an error in the format of the operation, even if another node refused the call', async () => {
    const [one, other] = await nodes.startPair();
    await payWithRetries(one.sessionUrl('shop'));
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"merchantId": 7}' };
    const path = '/sandbox/init/authenticate/merchant/wallet';
    const [here, there] = await Promise.all(
      [one, other].map(async (node) => {
        const answer = await call(`${node.sessionUrl('shop')}${path}`, init);
        return [answer.status, await answer.text()];
      }),
    );
    expect(here).toEqual(there);
    expect(here?.[0]).toBe(400);
  });

  it('forward large bodies and answers completely', async () => {
    const [one, other] = await nodes.startPair();
    const scenario = { name: 'wordy', description: 'x'.repeat(3_000_000), rules: [] };
    await payWithRetries(one.sessionUrl('shop'));
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(scenario) };
    // A busy node may not answer a forwarded call in time; a PUT can be repeated.
    const put = async (base: string): Promise<number> => {
      const { status } = await call(`${base}/_sandbox/scenarios/wordy`, init);
      return status === 504 ? put(base) : status;
    };
    const status = await put(one.sessionUrl('shop'));
    expect(await put(other.sessionUrl('shop'))).toBe(status);
    const [here, there] = await Promise.all(
      [one, other].map(async (node) => (await call(`${node.sessionUrl('shop')}/_sandbox/state`)).text()),
    );
    expect(here).toBe(there);
  });

  it('forward event streams without delay', async () => {
    const [one, other] = await nodes.startPair();
    await payWithRetries(one.sessionUrl('shop'));
    const stream = await call(`${other.sessionUrl('shop')}/_sandbox/events`, {
      headers: { accept: 'text/event-stream' },
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await payWithRetries(other.sessionUrl('shop'), 'ORDER-2');
    let received = '';
    while (!received.includes('ORDER-2') && !received.includes('payment-2')) {
      received += (await reader?.read())?.value ?? '';
    }
    await reader?.cancel();
    expect(received).toContain('payment.created');
  });

  it('list each other’s sessions, refuse to create them again, and delete them', async () => {
    const [one, other] = await nodes.startPair({ now: NOW });
    await payWithRetries(one.sessionUrl('shop'));
    await payWithRetries(other.sessionUrl('kiosk'));
    for (const node of [one, other]) {
      const { items } = await (await call(`${node.url}/_sandbox/sessions`)).json();
      expect(items.map(({ name, now }: Record<string, string>) => [name, now])).toEqual([
        ['kiosk', '2026-03-01T10:00:00.000Z'],
        ['shop', '2026-03-01T10:00:00.000Z'],
      ]);
    }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"shop"}' };
    expect(await problemOf(await call(`${other.url}/_sandbox/sessions`, init))).toEqual([409, 'conflict']);
    expect((await call(`${other.url}/_sandbox/sessions/%73hop`, { method: 'DELETE' })).status).toBe(204);
    for (const node of [one, other]) {
      expect(await problemOf(await call(`${node.sessionUrl('shop')}/_sandbox/payments`))).toEqual([
        404,
        'unknown-record',
      ]);
    }
    await payWithRetries(other.sessionUrl('shop'), 'ORDER-9');
    expect(await referencesAt(one.sessionUrl('shop'))).toEqual(['ORDER-9']);
  });

  it('share one maximum number of sessions', async () => {
    const [one, other] = await nodes.startPair({ maxSessions: 2 });
    await payWithRetries(one.sessionUrl('a'));
    await payWithRetries(other.sessionUrl('b'));
    expect((await payWithRetries(other.sessionUrl('c'))).status).toBe(429);
    expect((await payWithRetries(one.sessionUrl('b'), 'ORDER-2')).status).toBe(200);
  });

  it('store no name that was only looked up', async () => {
    const data = await nodes.newDatabase();
    const node = await nodes.start(data);
    expect(await problemOf(await call(`${node.sessionUrl('typo')}/_sandbox/payments`))).toEqual([
      404,
      'unknown-record',
    ]);
    await nodes.close(node);
    expect(await query(data, 'select name from sandbox.session')).toEqual([]);
  });

  it('ignore a forged header that marks a call as forwarded', async () => {
    const [one, other] = await nodes.startPair();
    await payWithRetries(one.sessionUrl('shop'));
    const headers = { 'x-sandbox-forwarded': 'true' };
    expect((await call(`${other.sessionUrl('shop')}/_sandbox/payments`, { headers })).status).toBe(200);
    await call(`${one.sessionUrl('shop')}/nowhere`, { headers });
    const { items } = await (await call(`${one.sessionUrl('shop')}/_sandbox/requests`)).json();
    expect(JSON.stringify(items)).not.toContain('forwarded');
  });

  it('break the connection to a caller if the node with the session breaks its own', async () => {
    const [one, other] = await nodes.startPair();
    const scenario = {
      name: 'cut',
      description: 'cuts connections',
      rules: [{ when: {}, fault: { at: 'before', kind: 'reset' } }],
    };
    const session = one.session('shop');
    await session.defineScenario(scenario);
    await session.useScenario('cut');
    await expect(pay(other.sessionUrl('shop'))).rejects.toThrow('fetch failed');
  });

  it('continue after a caller has given up a forwarded call', async () => {
    const [one, other] = await nodes.startPair();
    await payWithRetries(one.sessionUrl('shop'));
    const streamCall = httpRequest(`${other.sessionUrl('shop')}/_sandbox/events`, {
      headers: { accept: 'text/event-stream' },
    });
    const answer = new Promise((resolve) => streamCall.once('response', resolve));
    streamCall.end();
    await answer;
    streamCall.destroy();
    expect((await payWithRetries(other.sessionUrl('shop'), 'ORDER-2')).status).toBe(200);
  });

  it('report that a session is unavailable after its node was killed', async () => {
    const data = await nodes.newDatabase();
    const [killedNode, node] = [await nodes.startProgram(data), await nodes.start(data)];
    await payWithRetries(`${killedNode.url}/s/shop`);
    await nodes.kill(killedNode);
    const at = node.sessionUrl('shop');
    const json = { 'content-type': 'application/json' };
    const settle = { method: 'POST', headers: json, body: '{"outcome":"Paid"}' };
    expect((await pay(at, 'ORDER-2')).status).toBe(503);
    expect(await problemOf(await fetch(`${at}/_sandbox/payments/ORDER-1/settle`, settle))).toEqual([503, 'moved']);
    const deletion = await fetch(`${node.url}/_sandbox/sessions/shop`, { method: 'DELETE' });
    expect(await problemOf(deletion)).toEqual([503, 'moved']);
  });

  it('create a session whose name was only looked up at the other node', async () => {
    const [one, other] = await nodes.startPair();
    await call(`${one.sessionUrl('shop')}/_sandbox/payments`);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"shop"}' };
    expect((await call(`${other.url}/_sandbox/sessions`, init)).status).toBe(200);
  });
});

describe('a node that stops', () => {
  it('hands its sessions over with all their data and jobs', async () => {
    const [one, other] = await nodes.startPair({ now: NOW, scenario: 'auto-approve' });
    await payWithRetries(one.sessionUrl('shop'));
    await nodes.close(one);
    const session = other.session('shop');
    await call(`${other.sessionUrl('shop')}/_sandbox/payments`);
    const { happened } = await session.advance('PT1M');
    expect(happened?.map(({ type }) => type)).toContain('payment.paid');
  });

  it('loses no payment that another node receives in the meantime', async () => {
    const [one, other] = await nodes.startPair();
    await payWithRetries(one.sessionUrl('shop'));
    const closing = nodes.close(one);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => withRetries(() => pay(other.sessionUrl('shop'), `ORDER-${index + 2}`))),
    );
    await closing;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await referencesAt(other.sessionUrl('shop'))).toHaveLength(11);
  });

  it('leaves all its data to the next node', async () => {
    const data = await nodes.newDatabase();
    const one = await nodes.start(data);
    await payWithRetries(one.sessionUrl('shop'));
    await nodes.close(one);
    const next = await nodes.start(data);
    expect(await referencesAt(next.sessionUrl('shop'))).toEqual(['ORDER-1']);
  });
});

describe('an idle session', () => {
  it('is removed from memory, and is restored unchanged when it is called', async () => {
    const data = await nodes.newDatabase();
    const node = await nodes.start(data, { sessionIdle: 100 });
    await payWithRetries(node.sessionUrl('shop'));
    while ((await query(data, 'select name from sandbox.session where owner is not null')).length > 0) {
      // The search for idle sessions and due jobs runs every second.
    }
    expect(await referencesAt(node.sessionUrl('shop'))).toEqual(['ORDER-1']);
    const { items } = await (await call(`${node.url}/_sandbox/sessions`)).json();
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['shop']);
  });

  it('is restored when one of its jobs is due', async () => {
    const data = await nodes.newDatabase();
    const node = await nodes.start(data);
    await payWithRetries(node.sessionUrl('shop'));
    await nodes.close(node);
    const [due] = await query(
      data,
      "select next_due between now() and now() + interval '1 day' as is_soon from sandbox.session",
    );
    expect(due).toEqual({ is_soon: true });
    await query(data, 'update sandbox.session set next_due = now()');
    await nodes.start(data);
    while ((await query(data, 'select name from sandbox.session where owner is not null')).length === 0) {
      // The search for idle sessions and due jobs runs every second.
    }
  });
});

describe('a database', () => {
  it('that a newer version has set up is refused', async () => {
    const data = await nodes.newDatabase();
    await nodes.close(await nodes.start(data));
    await query(data, "insert into sandbox.migration (name, run_on) values ('9999_from_the_future', now())");
    await expect(nodes.start(data)).rejects.toThrow(/was set up by a newer version of merchant-sandbox \(it has 9999/);
  });

  it('that does not exist is refused, with its address but no password', async () => {
    const data = (await nodes.newDatabase()).replace(/\/sandbox_\w+$/, '/nowhere');
    const refusal = await nodes.start(data).catch((error: Error) => error);
    expect(String(refusal)).toContain('/nowhere cannot be used (database "nowhere" does not exist)');
    expect(String(refusal)).not.toContain(new URL(data).password);
  });

  it('is set up once by nodes that start at the same time', async () => {
    const data = await nodes.newDatabase();
    const [one, other] = await Promise.all([nodes.start(data), nodes.start(data), nodes.start(data)]);
    await payWithRetries(one.sessionUrl('shop'));
    expect(await referencesAt(other.sessionUrl('shop'))).toEqual(['ORDER-1']);
  });
});
