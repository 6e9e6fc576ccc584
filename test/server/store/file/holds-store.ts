// Opens a store, says "held" or why it may not, and holds on to it until it is told to close or is killed.
import { once } from 'node:events';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';

const [file = ''] = process.argv.slice(2);
try {
  const store = await openStore({ file, syncToDisk: false, onWarning: () => undefined });
  process.stdout.write('held\n');
  await once(process.stdin, 'data');
  await store.close();
  process.stdout.write('closed\n');
} catch (error) {
  process.stdout.write(`${error}\n`);
}
process.exit(0);
