// A separate process that opens the authority of a folder once it receives any input, and prints its certificate and key.
import { authorityIn } from '../../../../src/server/http/tls/authority.ts';

const [folder = '', now = ''] = process.argv.slice(2);
console.log('ready');
process.stdin.once('data', async () => {
  const { certificate, key } = await authorityIn(folder, Number(now));
  console.log(JSON.stringify({ certificate, key }));
  process.stdin.destroy();
});
