import { startSandbox } from './sandboxes.ts';

it('an unused session is deleted after sessionTtl, except the default one and those with listeners', async () => {
  const sandbox = await startSandbox({ sessionTtl: 200, sessionIdle: 100 });
  const names = async () => {
    const { items } = await sandbox.client.list('sessions');
    return items.map(({ name }) => name);
  };
  await sandbox.client.useScenario('auto-approve');
  const listening = new AbortController();
  let stream: Response;
  do {
    // On a busy machine, the session may be deleted before the stream is opened.
    await sandbox.session('followed').useScenario('auto-approve');
    stream = await fetch(`${sandbox.sessionUrl('followed')}/_sandbox/events`, { signal: listening.signal });
  } while (stream.status !== 200);
  await sandbox.session('unused').useScenario('auto-approve');
  while ((await names()).includes('unused')) {
    // Waits until the session is deleted.
  }
  expect(await names()).toEqual(['default', 'followed']);
  expect((await fetch(`${sandbox.sessionUrl('unused')}/_sandbox/payments`)).status).toBe(404);
  listening.abort();
  while ((await names()).includes('followed')) {
    // Waits until the session is deleted, because nothing listens to it any more.
  }
  await sandbox.close();
});
