import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import { describeStore } from '../../server/store/contract/store.ts';
import { Databases } from '../servers/databases.ts';
import { openAndClaim } from './open-at-node.ts';

let server: PostgresServer;
let databases: Databases;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  databases = new Databases(server);
});
afterAll(() => server.stop());

describeStore({
  name: 'PostgreSQL',
  durable: true,
  async open(folder) {
    const store = await openAndClaim(await databases.open(folder));
    const close = store.close.bind(store);
    let isOpen = true;
    store.close = async () => {
      await close();
      if (isOpen) {
        isOpen = false;
        databases.release(folder);
      }
    };
    return store;
  },
});
