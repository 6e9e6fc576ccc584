import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SandboxClient } from '../../src/client/client.ts';
import { addressOf, freePort, spawnProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ADAPTER, SHOP } from './examine-in.ts';

const COMMAND = `"${process.execPath}" "${SHOP}"`;
const STOPPED = 'The examination was stopped early: the report contains only what had been found.';
const folder = temporaryFolders()();

/** Starts an examination, and collects its output. */
async function startExamination(adapter: string, port: number, ...more: string[]) {
  const args = ['examine', adapter, '--command', COMMAND, '--bundles', join(folder, 'bundles'), ...more];
  const child = spawnProgram(args, { PORT: String(port), GITHUB_STEP_SUMMARY: '' });
  const output = outputOf(child);
  return { child, output, client: new SandboxClient({ url: await addressOf(child) }) };
}

function outputOf(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return output;
}

async function waitUntil(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) {
    await setTimeout(20);
  }
}

function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  );
}

it('a stopped examination reports its findings so far, ends the shop, and exits with 2', async () => {
  const port = await freePort();
  const [json, html, junit] = ['json', 'html', 'junit'].map((kind) => join(folder, `report.${kind}`));
  const files = ['--json', `${json}`, '--html', `${html}`, '--junit', `${junit}`];
  const { child, output, client } = await startExamination(ADAPTER, port, ...files);
  await waitUntil(async () => (await client.examination()).verdicts.length > 3);
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(output.stderr).toContain('stopping after the current order');
  expect(output.stdout).toContain(STOPPED);
  const report = JSON.parse(readFileSync(`${json}`, 'utf8'));
  expect(report.isStopped).toBe(true);
  expect(report.verdicts.length).toBeGreaterThan(3);
  // An order that was in progress is judged completely, or not reported.
  expect(report.counts.inconclusive).toBe(0);
  for (const file of [html, junit]) {
    expect(readFileSync(`${file}`, 'utf8')).toContain(STOPPED);
  }
  expect(await isListening(port)).toBe(false);
});

/** Writes an adapter that never finishes an order. */
function hangingAdapter(): string {
  const adapter = join(folder, 'hanging.mjs');
  writeFileSync(
    adapter,
    readFileSync(ADAPTER, 'utf8').replace(
      'export async function placeOrder(',
      '$&...order) { await new Promise(() => undefined); }\nasync function unused(',
    ),
  );
  return adapter;
}

const isPlacing = async (client: SandboxClient) =>
  (await client.examination()).progress?.now.startsWith('learning how the shop sells') === true;

it('a second signal ends the examination and its shop at once', async () => {
  const port = await freePort();
  const { child, client } = await startExamination(hangingAdapter(), port);
  await waitUntil(() => isPlacing(client));
  expect(await isListening(port)).toBe(true);
  child.kill('SIGTERM');
  // A second signal within this time may be the first one, forwarded by npx.
  await setTimeout(3500);
  expect(child.exitCode).toBe(null);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(await isListening(port)).toBe(false);
});

it('SIGHUP stops an examination and its shop as well', async () => {
  const port = await freePort();
  const { child, output, client } = await startExamination(ADAPTER, port);
  await waitUntil(() => isPlacing(client));
  child.kill('SIGHUP');
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(output.stdout).toContain(STOPPED);
  expect(await isListening(port)).toBe(false);
});

it('SIGHUP ends a sandbox, its examination in the console, and the shop', async () => {
  const port = await freePort();
  const args = ['start', '--port', '0', '--data', ':memory:', '--examine', ADAPTER, '--examine-command', COMMAND];
  const child = spawnProgram(args, { PORT: String(port) });
  const client = new SandboxClient({ url: await addressOf(child) });
  await client.call('POST', '/examination', {});
  await waitUntil(() => isPlacing(client));
  const ended = once(child, 'close');
  child.kill('SIGHUP');
  expect(await ended).toEqual([0, null]);
  expect(await isListening(port)).toBe(false);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'the end of its input'] as const)(
  'an examination that an agent started ends at once, with its shop, at %s',
  async (end) => {
    const port = await freePort();
    const child = spawnProgram(['mcp', '--url', 'http://127.0.0.1:9'], { PORT: String(port) }, 'pipe');
    const clientInfo = { name: 'an-agent', version: '1' };
    const toolArguments = { adapter: hangingAdapter(), command: COMMAND, bundles: join(folder, 'bundles') };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'examine_shop', arguments: toolArguments } },
    ];
    for (const message of messages) {
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    await waitUntil(() => isListening(port));
    const ended = once(child, 'close');
    if (end === 'the end of its input') {
      child.stdin?.end();
    } else {
      child.kill(end);
    }
    expect(await ended).toEqual([0, null]);
    expect(await isListening(port)).toBe(false);
  },
);

it('an examination that waits for the shop to answer can be stopped at once', async () => {
  const port = await freePort();
  const started = join(folder, 'started');
  const shop = join(folder, 'silent.mjs');
  writeFileSync(shop, `import fs from 'node:fs'; fs.writeFileSync(process.argv[2], ''); setInterval(() => {}, 1000);`);
  const command = `"${process.execPath}" "${shop}" "${started}"`;
  const args = ['examine', ADAPTER, '--command', command, '--bundles', join(folder, 'bundles')];
  const child = spawnProgram(args, { PORT: String(port) });
  const output = outputOf(child);
  await waitUntil(() => existsSync(started));
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(output.stderr).toContain('the examination was stopped');
});

it('a stopped examination of a receiver reports its findings so far, too', async () => {
  let notified = 0;
  const receiver = createServer((_request, response) => {
    notified += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const sandbox = spawnProgram(['start', '--port', '0', '--data', ':memory:', '--ids', 'differ']);
  const url = await addressOf(sandbox);
  const json = join(folder, 'receiver.json');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`;
  const child = spawnProgram(['probe', address, '--url', url, '--session', 'probe', '--json', json]);
  const output = outputOf(child);
  await waitUntil(() => notified > 25);
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([code, output.stdout]).toEqual([2, expect.stringContaining(STOPPED)]);
  const report = JSON.parse(readFileSync(json, 'utf8'));
  expect(report.verdicts.length).toBeGreaterThan(0);
  const ended = once(sandbox, 'close');
  sandbox.kill('SIGTERM');
  await ended;
  receiver.closeAllConnections();
  receiver.close();
});

it('an examination that is killed leaves no shop behind', async () => {
  const port = await freePort();
  const { child, client } = await startExamination(ADAPTER, port);
  await waitUntil(() => isPlacing(client));
  expect(await isListening(port)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');
  await waitUntil(async () => !(await isListening(port)));
});
