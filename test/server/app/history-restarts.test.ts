import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { single } from '../../interface/calls.ts';
import { startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
const SETTINGS = { now: Date.parse('2026-03-01T10:00:00Z') };

const pay = ({ baseUrl }: SandboxClient, payerReference: string) =>
  request(baseUrl).post('/sandbox/init/authenticate/merchant/wallet').send(single({ payerReference }));

async function paymentsAt(client: SandboxClient, at: string, as: string): Promise<string[]> {
  await client.fork('default', { at, as });
  return (await client.inSession(as).payments()).items.map(({ payerReference }) => payerReference).reverse();
}

describe('a history', () => {
  it('starts again from the stored data when the sandbox starts', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await startSandbox({ ...SETTINGS, data });
    await pay(first.client, 'ORDER-1');
    await first.close();
    const { client, close } = await startSandbox({ ...SETTINGS, data });
    await pay(client, 'ORDER-2');
    expect((await client.history()).cutBecause).toBe('the session was loaded from its stored data');
    expect(await paymentsAt(client, 'start', 'a')).toEqual(['ORDER-1']);
    expect(await paymentsAt(client, 'request-1', 'b')).toEqual(['ORDER-1', 'ORDER-2']);
    await close();
  });

  it('starts again when the fixtures change, because the same calls may get other answers', async () => {
    const fixtures = temporaryFolder();
    const file = join(fixtures, 'times.json');
    writeFileSync(file, JSON.stringify({ accessTokenLifetime: 'PT1M' }));
    const { client, close } = await startSandbox({ ...SETTINGS, fixtures });
    await pay(client, 'ORDER-1');
    expect((await client.history()).cutBecause).toBeNull();
    writeFileSync(file, JSON.stringify({ accessTokenLifetime: 'PT2M' }));
    while ((await client.history()).cutBecause === null) {
      // Waits until the watcher has noticed the changed file and reloaded the fixtures.
    }
    expect((await client.history()).cutBecause).toBe('the fixtures were changed');
    await pay(client, 'ORDER-2');
    expect(await paymentsAt(client, 'start', 'a')).toEqual(['ORDER-1']);
    expect(await paymentsAt(client, 'request-2', 'b')).toEqual(['ORDER-1', 'ORDER-2']);
    await close();
  });
});
