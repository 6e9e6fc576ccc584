// A database that lost its last commits, like a standby that had not received them.
import pg from 'pg';
import { NodesUnderTest, pay, payWithRetries, referencesAt } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();

/** Deletes the last commit of every session, and cuts all connections. */
async function failOver(data: string): Promise<void> {
  const client = new pg.Client({ connectionString: data });
  await client.connect();
  try {
    await client.query(`delete from sandbox.journal using
      (select session, max(flush) as flush from sandbox.journal group by session) as last
      where journal.session = last.session and journal.flush = last.flush`);
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  } finally {
    await client.end();
  }
}

it('after a failover, every session continues with the data that the database still has', async () => {
  const data = await nodes.newDatabase();
  const first = await nodes.start(data);
  const sessions = ['a', 'b'];
  for (const session of sessions) {
    for (const reference of ['ORDER-1', 'ORDER-2']) {
      expect((await pay(first.sessionUrl(session), reference)).status).toBe(200);
    }
  }
  await failOver(data);
  for (const session of sessions) {
    const answer = await payWithRetries(first.sessionUrl(session), 'ORDER-3');
    expect(answer.status).toBe(200);
  }
  const answered = await Promise.all(sessions.map((session) => referencesAt(first.sessionUrl(session))));
  expect(answered).toEqual(sessions.map(() => ['ORDER-1', 'ORDER-3']));
  await nodes.close(first);
  const second = await nodes.start(data);
  const stored = await Promise.all(sessions.map((session) => referencesAt(second.sessionUrl(session))));
  expect(stored).toEqual(answered);
});
