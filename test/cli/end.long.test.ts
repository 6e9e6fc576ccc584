import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isRunByNpx } from '../../src/command/shutdown.ts';
import { addressOf, linkProgram, startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();

/** A sandbox that another process has started. */
interface ChildSandbox {
  parent: ChildProcess;
  url: string;
  /** The process id of the sandbox itself. */
  pid: number;
  /**
   * Resolves when both processes have closed standard output, with whether the sandbox has removed its lock. It only removes the
   * lock if it closes in order.
   */
  closedInOrder: Promise<boolean>;
}

async function startChildSandbox(command: string, args: string[], lock: string, cwd?: string): Promise<ChildSandbox> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const parent = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const closedInOrder = once(parent.stdout, 'end').then(() => !existsSync(lock));
  const url = await addressOf(parent, (chunk) => {
    output += chunk;
  });
  const { pid } = JSON.parse(output.split('\n').find((line) => line.includes('"ready"')) ?? '{}');
  expect(existsSync(lock)).toBe(true);
  return { parent, url, pid, closedInOrder };
}

/** Starts a sandbox as `npx merchant-sandbox start` in a folder with that package. */
function startByNpx(): Promise<ChildSandbox> {
  const folder = newFolder();
  linkProgram(join(folder, 'node_modules', '.bin'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const data = join(folder, 'state.json');
  const args = ['--offline', 'merchant-sandbox', 'start', '--port', '0', '--data', data, '--log-format', 'json'];
  return startChildSandbox('npx', args, `${data}.lock`, folder);
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Starts a sandbox from a program that does nothing else. */
function startByParent(...flags: string[]): Promise<ChildSandbox> {
  const data = join(newFolder(), 'state.json');
  const args = ['dist/cli.js', 'start', '--port', '0', '--data', data, '--log-format', 'json', ...flags];
  const program = `
    require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ['ignore', 'inherit', 'inherit'] });
    setInterval(() => {}, 1000);`;
  return startChildSandbox(process.execPath, ['-e', program], `${data}.lock`);
}

it('a SIGTERM to npx closes the sandbox in order, although the shell between them does not forward it', async () => {
  const { parent, closedInOrder } = await startByNpx();
  parent.kill('SIGTERM');
  expect(await closedInOrder).toBe(true);
});

it('a Ctrl-C under npx, which arrives twice, closes the sandbox in order', async () => {
  const { parent, closedInOrder } = await startByNpx();
  process.kill(-Number(parent.pid), 'SIGINT');
  expect(await closedInOrder).toBe(true);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a second %s shortly after the first does not stop a sandbox from closing in order',
  async (signal) => {
    const data = join(newFolder(), 'state.json');
    const { child, url, end } = await startProgram('start', '--port', '0', '--data', data);
    const { port } = new URL(url);
    // An incomplete request delays the end.
    const request = connect(Number(port), '127.0.0.1');
    request.on('error', () => undefined);
    request.write('POST /auth/authenticate/merchant HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
    await fetch(`${url}/_sandbox/health`);
    child.kill(signal);
    while (await acceptsConnections(Number(port))) {}
    expect(await end(signal)).toBe(0);
    expect(existsSync(`${data}.lock`)).toBe(false);
  },
);

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'a sandbox with --exit-with-parent closes in order when %s ends its parent',
  async (signal) => {
    const { parent, closedInOrder } = await startByParent('--exit-with-parent');
    parent.kill(signal);
    expect(await closedInOrder).toBe(true);
  },
);

it('a sandbox outlives its parent by default', async () => {
  const { parent, url, pid, closedInOrder } = await startByParent();
  const other = await startByParent('--exit-with-parent');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  other.parent.kill('SIGKILL');
  await other.closedInOrder;
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  expect(await closedInOrder).toBe(true);
});

it.each([
  ["'merchant-sandbox'", true],
  ['"merchant-sandbox"', true],
  ['merchant-sandbox', true],
  ['merchant-sandbox start & other', false],
  ['jest', false],
  [undefined, false],
])('npx with the script %s counts as the parent of the program: %s', (script, isRun) => {
  const environment = { npm_lifecycle_event: 'npx', npm_lifecycle_script: script };
  expect([isRunByNpx(environment), isRunByNpx({ ...environment, npm_lifecycle_event: 'pretest' })]).toEqual([
    isRun,
    false,
  ]);
});
