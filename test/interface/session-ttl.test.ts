import { startSandbox } from './sandboxes.ts';

it('an unused session is dropped after its time, except the default one and those with listeners', async () => {
  const sandbox = await startSandbox({ sessionTtl: 200, sessionIdle: 100 });
  const names = async () => {
    const { items } = await sandbox.client.list('sessions');
    return items.map(({ name }) => name);
  };
  await sandbox.client.useScenario('auto-approve');
  const following = new AbortController();
  let stream: Response;
  do {
    // On a machine that is busy it may be gone before anybody follows it.
    await sandbox.session('followed').useScenario('auto-approve');
    stream = await fetch(`${sandbox.sessionUrl('followed')}/_sandbox/events`, { signal: following.signal });
  } while (stream.status !== 200);
  await sandbox.session('unused').useScenario('auto-approve');
  while ((await names()).includes('unused')) {
    // It is looked again.
  }
  expect(await names()).toEqual(['default', 'followed']);
  expect((await fetch(`${sandbox.sessionUrl('unused')}/_sandbox/payments`)).status).toBe(404);
  following.abort();
  while ((await names()).includes('followed')) {
    // Nobody follows it any more.
  }
  await sandbox.close();
});
