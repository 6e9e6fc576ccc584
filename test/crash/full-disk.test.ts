import { join } from 'node:path';
import { SandboxClient } from '../../src/client/client.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ChildProcess } from './child-process.ts';

const SCRIPT = new URL('./sandbox-on-small-disk.ts', import.meta.url);
const newFolder = temporaryFolders();
let child: ChildProcess;

afterEach(() => child.kill());

it('says that it is degraded while the disk is full, shows nothing refused, and goes on when there is room', async () => {
  const file = join(newFolder(), 'state.json');
  const limited = ['-c', 'ulimit -f 200; exec "$@"', 'sh', ...ChildProcess.commandOf(SCRIPT, file)];
  child = new ChildProcess('sh', limited);
  await child.linesWritten(1);
  const url = child.lines[0] ?? '';
  const health = async () => {
    const answer = await fetch(`${url}/_sandbox/health`);
    return { http: answer.status, ...((await answer.json()) as object) };
  };
  expect(await health()).toMatchObject({ http: 200, status: 'ok' });
  const client = new SandboxClient({ url });
  const setEndpoint = (merchantId: string) =>
    client.call('PUT', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:9/', merchantId }] });
  const endpoints = async () => {
    const { items } = (await client.call('GET', '/webhooks/endpoints')) as {
      items: { id: string; merchantId: string }[];
    };
    return items.map(({ id, merchantId }) => `${id} of ${merchantId}`);
  };
  await setEndpoint('M-1');
  await expect(setEndpoint('x'.repeat(150_000))).rejects.toThrow();
  expect(await health()).toMatchObject({ http: 503, status: 'degraded', reason: expect.stringContaining('EFBIG') });
  expect(await endpoints()).toEqual(['endpoint-1 of M-1']);
  await setEndpoint('M-2');
  expect(await health()).toMatchObject({ http: 200, status: 'ok' });
  expect(await endpoints()).toEqual(['endpoint-2 of M-2']);
});
