// Opens a store, prints "held" or the error, and keeps the store open until a line arrives on standard input, or it is killed.
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
