import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Sandbox, startSandbox } from '../../src/index.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { payForOrder } from './vitest/shop.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;

let sandbox: Sandbox;
let receiver: ChildProcess;
let lines: AsyncIterator<string>;
let url: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  receiver = spawn(process.execPath, ['test/examples/webhook-receiver.mjs'], {
    env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!receiver.stdout) {
    throw new Error('the receiver has no output');
  }
  lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  url = (await next()).replace('listening on ', '');
});
afterAll(async () => {
  receiver.kill();
  await sandbox.close();
});

async function next(): Promise<string> {
  return (await lines.next()).value;
}

it('the example receiver handles a duplicate once, and refuses a tampered notification', async () => {
  const session = sandbox.session('receiver');
  await session.setEndpoints([{ url, secret: SECRET }]);
  await session.useScenario('duplicate-webhooks');
  await session.freeze();
  await payForOrder(session.baseUrl, 'ORDER-1');
  await session.advance('PT3S');
  expect(await next()).toBe('ORDER-1 is Paid');
  expect((await session.deliveries({ state: 'delivered' })).items).toHaveLength(2);
  const rules = [{ settle: { outcome: 'Paid', after: 'PT0S' }, webhook: { mode: 'tampered' } }];
  await session.defineScenario({ name: 'tampered', description: '', rules });
  await session.useScenario('tampered');
  await payForOrder(session.baseUrl, 'ORDER-2');
  const failed = await session.waitForEvent('delivery.failed', LONG_WAIT);
  expect(failed.data).toMatchObject({ status: 400 });
  await session.useScenario('payer-decides');
  await payForOrder(session.baseUrl, 'ORDER-3');
  await session.settle('ORDER-3', 'Failed');
  expect(await session.waitForDelivery('ORDER-3', LONG_WAIT)).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 204 }],
  });
  // If the duplicate or the tampered notification had been accepted, this line would be about it.
  expect(await next()).toBe('ORDER-3 is Failed');
});
