// The rights that a node's database role needs.
import pg from 'pg';
import { NodesUnderTest } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();

/** Creates a database that its owner sets up, with a role that may connect to it; resolves with the address for that role. */
async function databaseForRole(setUp: string): Promise<string> {
  const url = new URL(await nodes.newDatabase());
  const role = `role_${url.pathname.slice(1)}`;
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  try {
    await owner.query(`create role ${role} login password 'a-password'; ${setUp.replaceAll('$role', role)}`);
  } finally {
    await owner.end();
  }
  return Object.assign(new URL(url), { username: role, password: 'a-password' }).href;
}

it('a database role that owns an existing schema is sufficient', async () => {
  const sandbox = await nodes.start(await databaseForRole('create schema sandbox authorization $role'));
  expect(await sandbox.client.health()).toMatchObject({ status: 'ok' });
});

it('a database role without the needed rights is refused with an error that names the rights, but not its password', async () => {
  const data = await databaseForRole('');
  await expect(nodes.start(data)).rejects.toThrow(
    /^postgres:\/\/\w+:\*\*\*@\S+ cannot be set up \(permission denied for database \w+\); its role must have CREATE on the database, or own the schema sandbox$/,
  );
});
