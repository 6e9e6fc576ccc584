import { once } from 'node:events';
import { SandboxClient } from '../../src/client/client.ts';
import type { ShownExamination } from '../../src/client/shown.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { addressOf, freePort, runProgram, spawnProgram } from '../running.ts';
import { ADAPTER, SHOP } from './examine-in.ts';

const START_ARGS = ['start', '--port', '0', '--data', ':memory:', '--examine', ADAPTER];
const COMMAND = `"${process.execPath}" "${SHOP}"`;

/** Polls the examination until the condition holds. */
async function waitForExamination(
  client: SandboxClient,
  isReached: (view: ShownExamination) => boolean,
): Promise<ShownExamination> {
  for (const startedAt = Date.now(); ; ) {
    const view = await client.examination();
    if (isReached(view)) {
      return view;
    }
    if (Date.now() - startedAt > LONG_WAIT.timeout) {
      throw new Error(`the condition was not reached: ${JSON.stringify(view)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function start(more: string[], port: number): Promise<{ client: SandboxClient; stop(): Promise<unknown> }> {
  const child = spawnProgram([...START_ARGS, ...more], { PORT: String(port) });
  const client = new SandboxClient({ url: await addressOf(child) });
  const stop = () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    return ended;
  };
  return { client, stop };
}

it('an examination starts a shop in a temporary session, and reports the verdicts', async () => {
  const { client, stop } = await start(['--examine-command', COMMAND], await freePort());
  expect(await client.examination()).toMatchObject({ state: 'ready', shop: { command: COMMAND, address: null } });
  await client.startExamination({ only: ['notified-twice', 'mobile-money'], budget: 'PT0S' });
  const running = await waitForExamination(client, ({ state, session }) => state !== 'running' || session !== null);
  expect(running.session).toMatch(/^examination-/);
  const done = await waitForExamination(client, ({ state }) => state !== 'running');
  expect(done).toMatchObject({ state: 'done', problem: null, session: null, seed: 1 });
  expect(done.verdicts).toMatchObject([
    { id: 'I2-notified-twice-mobile-money', title: 'the notification arrives twice', verdict: 'handled' },
  ]);
  const { items } = await client.list<{ name: string }>('sessions');
  expect(items.map(({ name }) => name)).toEqual([]);
  await expect(client.startExamination({ only: ['I99'] })).rejects.toMatchObject({ status: 400 });
  await stop();
});

it('an examination and its shop end when the examination is stopped, or the sandbox is closed', async () => {
  const port = await freePort();
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
  const { client, stop } = await start(['--examine-command', COMMAND], port);
  await client.startExamination();
  await expect(client.startExamination()).rejects.toMatchObject({ status: 409 });
  await waitForExamination(client, ({ progress }) => (progress?.total ?? 0) > 0);
  await client.stopExamination();
  expect(await client.examination()).toMatchObject({ state: 'stopped', problem: null });
  expect(await isUp()).toBe(false);
  await client.startExamination();
  await waitForExamination(client, ({ progress }) => (progress?.total ?? 0) > 0);
  expect(await isUp()).toBe(true);
  await stop();
  expect(await isUp()).toBe(false);
});

it('without --examine-command, an examination uses a session with a fixed address', async () => {
  const { client, stop } = await start([], await freePort());
  const { shop } = await client.examination();
  expect(shop).toMatchObject({ command: null, address: `${client.baseUrl}/s/examination` });
  // Inconclusive, because no shop is running.
  await client.startExamination({ only: ['paid', 'mobile-money'], budget: 'PT0S' });
  const { verdicts } = await waitForExamination(client, ({ state }) => state === 'done');
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  await stop();
});

it.each([
  ['an adapter that does not exist', ['--examine', './nowhere.mjs'], '--examine: ./nowhere.mjs cannot be loaded'],
  ['a command without an adapter', ['--examine-command', 'npm start'], '--examine-command goes with --examine'],
  [
    'a database that several sandboxes share',
    ['--examine', ADAPTER, '--data', 'postgres://127.0.0.1:1/x'],
    '--examine needs its own sandbox',
  ],
])('start exits with 2 and prints one line for %s', async (_what, args, words) => {
  const { code, stderr } = await runProgram(['start', '--port', '0', '--data', ':memory:', ...args]);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(words);
});
