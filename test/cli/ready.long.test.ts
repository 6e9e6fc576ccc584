import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { spawnProgram, startProgram } from '../running.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const startArgs = ['start', '--port', '0', '--data', ':memory:'];

/** Starts the program, ends it when its standard output has a line, and resolves with all that it has printed. */
async function runAndRead(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const child = spawnProgram(args);
  const printed = { stdout: '', stderr: '' };
  child.stderr?.on('data', (chunk) => {
    printed.stderr += chunk;
  });
  child.stdout?.on('data', (chunk) => {
    printed.stdout += chunk;
    if (printed.stdout.includes('\n')) {
      child.kill('SIGTERM');
    }
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return printed;
}

describe('start', () => {
  it('prints only the address on standard output if --print-url is set, and the rest on standard error', async () => {
    const { stdout, stderr } = await runAndRead(...startArgs, '--print-url');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(stderr).toContain(`merchant API  ${stdout}`);
  });

  it('prints nothing but the address if --print-url and --quiet are set', async () => {
    const { stdout, stderr } = await runAndRead(...startArgs, '--print-url', '--quiet');
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/), '']);
  });

  it('prints a warning about its data on standard error, even if --quiet is set', async () => {
    const file = join(newFolder(), 'state.json');
    const first = await startProgram('start', '--port', '0', '--data', file);
    await first.end('SIGKILL');
    writeFileSync(`${file}.journal`, `${readFileSync(`${file}.journal`, 'utf8')}{"half`);
    const { stdout, stderr } = await runAndRead('start', '--port', '0', '--data', file, '--print-url', '--quiet');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(stderr).toContain('WARN');
  });

  it('keeps running when the reader of the address has closed the output', async () => {
    const child = spawnProgram([...startArgs, '--print-url']);
    child.stderr?.resume();
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    const url = String(line).trim();
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await runCommand(['health', '--url', url])).code).toBe(0);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('reports as a line of JSON that it is ready, at any log level', async () => {
    const { stdout } = await runAndRead(...startArgs, '--log-format', 'json', '--log-level', 'error', '--seed', 'a');
    const { url, time, pid, version, ...others } = JSON.parse(stdout);
    expect([url, time, pid, version]).toEqual([
      expect.stringMatching(/^http:/),
      expect.any(Number),
      expect.any(Number),
      expect.any(String),
    ]);
    expect(others).toEqual({
      level: 30,
      msg: 'ready',
      data: ':memory:',
      validation: 'strict',
      scenario: 'payer-decides',
      seed: 'a',
    });
  });

  it('includes the control token in its line of JSON only if control calls need it', async () => {
    const exposedArgs = [...startArgs, '--host', '0.0.0.0', '--control-token', 'a-token'];
    const { stdout } = await runAndRead(...exposedArgs, '--log-format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ msg: 'ready', controlToken: 'a-token' });
    const loopback = await runAndRead(...startArgs, '--control-token', 'a-token', '--log-format', 'json');
    expect(loopback.stdout).not.toContain('a-token');
  });
});

describe('health and wait', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  /** Runs a command against a server that is not a sandbox. */
  async function runAgainst(answer: RequestListener, ...args: string[]) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await runCommand([...args, '--url', url]);
    server.closeAllConnections();
    server.close();
    return { ...result, stderr: result.stderr.replace(url, 'URL') };
  }

  it('accept seconds or a duration as --timeout', async () => {
    const commands = [
      ['health', '20.5'],
      ['wait', 'PT20S'],
    ] as const;
    for (const [command, timeout] of commands) {
      expect((await runCommand([command, '--timeout', timeout, '--url', sandbox.url])).code).toBe(0);
    }
  });

  it.each(['soon', 'P1M', '-1', '86401'])('refuse %s as --timeout', async (timeout) => {
    expect(await runCommand(['health', `--timeout=${timeout}`, '--url', sandbox.url])).toMatchObject({
      code: 2,
      stderr: `merchant-sandbox: --timeout takes a number of seconds or a duration such as 90s or 5m, at most a day, not "${timeout}"\n`,
    });
  });

  it('report a timeout if a server accepts calls but never answers', async () => {
    const silent = () => undefined;
    expect(await runAgainst(silent, 'health', '--timeout', '0.3')).toMatchObject({
      code: 1,
      stderr: 'merchant-sandbox: URL did not answer within 0.3 seconds\n',
    });
    const { code, stderr } = await runAgainst(silent, 'wait', '--timeout', 'PT0.3S', '--json');
    expect([code, JSON.parse(stderr)]).toEqual([
      1,
      { detail: expect.stringMatching(/was not ready within 0.3 seconds/) },
    ]);
  });

  it.each<[string, RequestListener]>([
    ['that serves pages', (_request, response) => response.end('<html>')],
    ['that serves JSON', (_request, response) => response.end('{ "ok": true }')],
    ['that answers nothing', (_request, response) => response.writeHead(204).end()],
    ['that has no such path', (_request, response) => response.writeHead(404).end('{ "error": "not found" }')],
  ])('distinguish a sandbox from a server %s, as other commands do', async (_, server) => {
    for (const command of [
      ['health'],
      ['payments'],
      ['clock'],
      ['payments', 'ORDER-1'],
      ['scenario', 'auto-approve'],
    ]) {
      expect(await runAgainst(server, ...command)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^merchant-sandbox: the server at URL is not a merchant-sandbox\n$/),
      });
    }
    expect((await runAgainst(server, 'wait', '--timeout', '0')).stderr).toContain('is not a merchant-sandbox');
  });

  it('need no token beyond loopback', async () => {
    const exposed = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
    for (const command of ['health', 'wait']) {
      expect((await runCommand([command, '--url', exposed.url])).code).toBe(0);
    }
    await exposed.close();
  });

  it('find the sandbox by --url, else MERCHANT_SANDBOX_URL, else SANDBOX_URL, else at SANDBOX_PORT', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const { url } = sandbox;
    const { port } = new URL(url);
    const results = await Promise.all([
      runCommand(['health', '--url', url], { MERCHANT_SANDBOX_URL: nowhere, SANDBOX_URL: nowhere }),
      runCommand(['health'], { MERCHANT_SANDBOX_URL: url, SANDBOX_URL: nowhere }),
      runCommand(['health'], { SANDBOX_URL: url, SANDBOX_PORT: '1' }),
      runCommand(['health'], { SANDBOX_PORT: port }),
      runCommand(['health'], { MERCHANT_SANDBOX_URL: nowhere, SANDBOX_URL: url }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1]);
    expect(results[4]?.stderr).toContain('start one, or name it with --url or MERCHANT_SANDBOX_URL');
    expect((await runCommand(['health'], { MERCHANT_SANDBOX_URL: 'nowhere' })).stderr).toContain(
      'MERCHANT_SANDBOX_URL must be an http or https address',
    );
  });
});
