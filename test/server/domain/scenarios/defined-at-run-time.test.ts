import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type SandboxClient, startSandbox } from '../../../../src/index.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const newFolder = temporaryFolders();
const LARGE = {
  name: 'large',
  description: 'x'.repeat(100_000),
  rules: [{ settle: { outcome: 'Failed', after: 'PT0S', code: '51' } }],
};

function pay({ baseUrl }: SandboxClient) {
  return request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send(exampleOf('requests/single-payment'))
    .expect(200);
}

it('a large scenario is stored once, not again with each payment, and survives a restart', async () => {
  const data = join(newFolder(), 'state.json');
  const before = await startSandbox({ data, now: Date.parse('2026-03-01T10:00:00.000Z') });
  await before.client.defineScenario(LARGE);
  await before.client.useScenario('large');
  await pay(before.client);
  const lines = readFileSync(`${data}.journal`, 'utf8').trim().split('\n');
  expect(lines.filter((line) => line.includes('xxxx'))).toHaveLength(1);
  expect(lines.at(-1)?.length).toBeLessThan(10_000);
  await before.close();

  const after = await startSandbox({ data });
  expect((await after.client.currentScenario()).name).toBe('large');
  await pay(after.client);
  await after.client.runUntilIdle();
  expect((await after.client.payments()).items.map(({ state }) => state)).toEqual(['Failed', 'Failed']);
  await after.close();
});

it('a scenario defined at run time is removed by a reset, and returns when a saved state is restored', async () => {
  const sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  await sandbox.client.defineScenario({ ...LARGE, description: 'Fails' });
  await sandbox.client.useScenario('large');
  const state = await sandbox.client.state();
  await sandbox.client.reset();
  expect((await sandbox.client.currentScenario()).name).toBe('payer-decides');
  await expect(sandbox.client.useScenario('large')).rejects.toThrow('there is no scenario "large"');
  await sandbox.client.restore(state);
  expect(await sandbox.client.currentScenario()).toMatchObject({ name: 'large', description: 'Fails' });
  await sandbox.close();
});
