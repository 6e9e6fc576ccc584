// A database whose clock is set back. It determines when leases end and when jobs of idle sessions are due.
import pg from 'pg';
import { NodesUnderTest, pay, payWithRetries, referencesAt, withRetries } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();
const SET_BACK_HOURS = 3;

/** Replaces the database's clock with one that can be set back: in the search path, its schema precedes the built-in functions. */
const CLOCK = `create schema machine;
  create table machine.clock as select 0 as hours_back;
  create function machine.clock_timestamp() returns timestamptz volatile language sql
    as 'select pg_catalog.clock_timestamp() - hours_back * interval ''1 hour'' from machine.clock';
  do $$ begin
    execute format('alter database %I set search_path = machine, pg_catalog, public', current_database());
  end $$`;

async function query(data: string, text: string) {
  const client = new pg.Client({ connectionString: data });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function databaseWithClock(): Promise<string> {
  const data = await nodes.newDatabase();
  // The tables are created first, because the migration uses another search path.
  await nodes.close(await nodes.start(data));
  await query(data, CLOCK);
  return data;
}

const setBack = (data: string) => query(data, `update machine.clock set hours_back = ${SET_BACK_HOURS}`);

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('the sessions of a node that died before the clock was set back are taken over once its lease has expired', async () => {
  const data = await databaseWithClock();
  const killedNode = await nodes.startProgram(data, '--node-lease', 'PT1S', '--log-level', 'error');
  const other = await nodes.start(data, { nodeLease: 1000 });
  expect((await withRetries(() => pay(`${killedNode.url}/s/shop`))).status).toBe(200);
  await nodes.kill(killedNode);
  await setBack(data);
  expect((await payWithRetries(other.sessionUrl('shop'), 'ORDER-2')).status).toBe(200);
  expect(await referencesAt(other.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2']);
});

it('a running node keeps its sessions when the clock is set back', async () => {
  const data = await databaseWithClock();
  const [one, other] = [await nodes.start(data), await nodes.start(data, { nodeLease: 1000 })];
  expect((await pay(one.sessionUrl('shop'))).status).toBe(200);
  const owners = () => query(data, 'select owner from sandbox.session');
  const before = await owners();
  await setBack(data);
  await waitUntil(async () => {
    const [row] = await query(
      data,
      'select bool_and(expires <= clock_timestamp() + lease) as "isRepaired" from sandbox.node',
    );
    return row.isRepaired;
  });
  expect((await pay(other.sessionUrl('shop'), 'ORDER-2')).status).toBe(200);
  expect(await owners()).toEqual(before);
});

it('a job of an idle session is not delayed when the clock is set back', async () => {
  const data = await databaseWithClock();
  const node = await nodes.start(data, { nodeLease: 1000, sessionIdle: 100 });
  expect((await payWithRetries(node.sessionUrl('shop'))).status).toBe(200);
  const dueWithinAnHour = async () => {
    const [row] = await query(
      data,
      `select owner is null and next_due < clock_timestamp() + interval '1 hour' as "isDue" from sandbox.session`,
    );
    return row?.isDue === true;
  };
  await waitUntil(dueWithinAnHour);
  await setBack(data);
  await waitUntil(dueWithinAnHour);
});
