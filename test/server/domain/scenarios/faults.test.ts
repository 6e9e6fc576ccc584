import request from 'supertest';
import { type SandboxClient, startSandbox } from '../../../../src/index.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const newFolder = temporaryFolders();

function pay({ baseUrl }: SandboxClient, members: object = {}) {
  return request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), ...members });
}

async function useFault(session: SandboxClient, fault: object) {
  await session.defineScenario({ name: 'faulty', description: 'Fails at times', rules: [{ fault }] });
  await session.useScenario('faulty');
}

async function countFailedCalls(session: SandboxClient, calls: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: calls }, () => pay(session)));
  return answers.filter(({ status }) => status === 503).length;
}

describe.each(['before', 'after'])('a fault %s the call', (at) => {
  it.each([1, 3])('applies exactly %d times to many simultaneous calls', async (times) => {
    const sandbox = await startSandbox();
    await useFault(sandbox.client, { at, kind: 'status', status: 503, times });
    expect(await countFailedCalls(sandbox.client, 25)).toBe(times);
    expect(await countFailedCalls(sandbox.client, 5)).toBe(0);
    await sandbox.close();
  });

  it('applies exactly `times` times even with a probability', async () => {
    const sandbox = await startSandbox();
    await useFault(sandbox.client, { at, kind: 'status', status: 503, times: 2, probability: 0.3 });
    expect(await countFailedCalls(sandbox.client, 100)).toBe(2);
    await sandbox.close();
  });

  it('is not used up by a call that is refused', async () => {
    const sandbox = await startSandbox();
    await useFault(sandbox.client, { at, kind: 'status', status: 503, times: 1 });
    await pay(sandbox.client, { amount: '10' }).expect(400);
    await pay(sandbox.client, { merchantKey: 'another' }).expect(401);
    if (at === 'after') {
      await pay(sandbox.client, { profileId: 77 }).expect(422);
    }
    await pay(sandbox.client).expect(503);
    await pay(sandbox.client).expect(200);
    await sandbox.close();
  });

  it('continues its count after a restart', async () => {
    const data = `${newFolder()}/state.json`;
    const before = await startSandbox({ data });
    await useFault(before.client, { at, kind: 'status', status: 503, times: 2 });
    await pay(before.client).expect(503);
    await before.close();
    const after = await startSandbox({ data });
    await pay(after.client).expect(503);
    await pay(after.client).expect(200);
    await after.close();
  });

  it('restarts its count when its scenario is chosen again', async () => {
    const sandbox = await startSandbox();
    await useFault(sandbox.client, { at, kind: 'status', status: 503, times: 1 });
    await pay(sandbox.client).expect(503);
    await sandbox.client.useScenario('faulty');
    await pay(sandbox.client).expect(503);
    await pay(sandbox.client).expect(200);
    await sandbox.close();
  });
});

it('a latency fault before the call is not used up by a call that is refused', async () => {
  const sandbox = await startSandbox();
  await useFault(sandbox.client, { at: 'before', kind: 'latency', latency: 'PT0.001S', times: 1 });
  await pay(sandbox.client, { profileId: 77 }).expect(422);
  const { headers } = await pay(sandbox.client).expect(200);
  expect(headers['x-sandbox-outcome']).toContain('latency before the call');
  expect((await pay(sandbox.client)).headers['x-sandbox-outcome']).not.toContain('latency');
  await sandbox.close();
});
