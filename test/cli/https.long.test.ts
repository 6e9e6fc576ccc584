import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Running, runProgram, startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const startArgs = ['start', '--port', '0', '--data', ':memory:'];
const httpsArgs = [...startArgs, '--https-port', '0'];

/** The address that a start has printed, and the file of the CA in the line for a client. */
function readBanner({ output }: Running, client = 'Node'): { address: string; file: string } {
  const banner = output();
  const [, address = ''] = /over HTTPS +(https:\S+)/.exec(banner) ?? [];
  const [line = ''] = new RegExp(`^ +${client} .*$`, 'm').exec(banner) ?? [];
  const [, quoted, bare] = /[= ](?:'([^']+ca\.pem)'|([^\s=]+ca\.pem))/.exec(line) ?? [];
  return { address, file: quoted ?? bare ?? '' };
}

const NODE = 'fetch(process.argv[1]).then(async (answer) => console.log(await answer.text()))';
const PYTHON = 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())';

/** Clients, with the printed setting that makes them trust the CA. Only those that are installed are tested. */
const CLIENTS = [
  { name: 'Node', variable: 'NODE_EXTRA_CA_CERTS', command: (url: string) => [process.execPath, '-e', NODE, url] },
  { name: 'curl', command: (url: string, file: string) => ['curl', '-sS', '--cacert', file, url] },
  { name: 'Python', variable: 'SSL_CERT_FILE', command: (url: string) => ['python3', '-c', PYTHON, url] },
].filter(({ command }) => spawnSync(command('', '')[0] ?? '', ['--version']).status === 0);

it('the printed setting makes each client trust the certificate, also in a folder with a space', async () => {
  const running = await startProgram(...httpsArgs, '--tls-folder', join(newFolder(), 'a folder'));
  const { port } = new URL(readBanner(running).address);
  for (const { name, variable, command } of CLIENTS) {
    const { file } = readBanner(running, name);
    const [program = '', ...args] = command(`https://127.0.0.1:${port}/_sandbox/health`, file);
    const run = (environment: object) =>
      promisify(execFile)(program, args, { env: { ...process.env, ...environment } });
    const { stdout } = await run(variable === undefined ? {} : { [variable]: file });
    expect([name, stdout.trim()]).toEqual([name, expect.stringMatching(/^\{"status":"ok"/)]);
    if (variable !== undefined) {
      await expect(run({})).rejects.toThrow(/certificate|fetch failed/i);
    }
  }
  expect(running.output()).toMatch(/PHP +-d curl\.cainfo='\S+ folder\/ca\.pem' -d openssl\.cafile='/);
  await running.end('SIGTERM');
});

it('a command that trusts the certificate works over HTTPS, and one that does not reports that', async () => {
  const running = await startProgram(...httpsArgs, '--tls-folder', newFolder());
  const { address, file } = readBanner(running);
  const trusting = { NODE_EXTRA_CA_CERTS: file };
  expect((await runProgram(['health', '--url', address], trusting)).code).toBe(0);
  expect(await runProgram(['settle', 'ORDER-1', 'Paid', '--url', address], trusting)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ORDER-1'),
  });
  const { code, stderr } = await runProgram(['payments', '--url', address]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^merchant-sandbox: the certificate of https:\S+ is not trusted \([^)]+\); set NODE_EXTRA_CA_CERTS to the CA's file, which was printed at the start\n$/,
    ),
  ]);
  await running.end('SIGTERM');
});

it("the CA is stored in the user's data folder, and not created without HTTPS", async () => {
  const folder = newFolder();
  const { HOME = '', XDG_DATA_HOME = '', LOCALAPPDATA = '' } = process.env;
  Object.assign(process.env, { HOME: folder, XDG_DATA_HOME: folder, LOCALAPPDATA: folder });
  const plain = await startProgram(...startArgs);
  await plain.end('SIGTERM');
  const files = readdirSync(folder);
  const [one, other] = [await startProgram(...httpsArgs), await startProgram(...httpsArgs)];
  Object.assign(process.env, { HOME, XDG_DATA_HOME, LOCALAPPDATA });
  expect([files, readBanner(one).file.startsWith(folder), readBanner(other).file]).toEqual([
    [],
    true,
    readBanner(one).file,
  ]);
  expect([await one.end('SIGTERM'), await other.end('SIGTERM')]).toEqual([0, 0]);
});

it('the exit code is 2 if the port for HTTPS is taken', async () => {
  const busyServer = createServer().listen(0, '127.0.0.1');
  await once(busyServer, 'listening');
  const { port } = busyServer.address() as AddressInfo;
  const args = [...startArgs, '--https-port', String(port), '--tls-folder', newFolder()];
  const { code, stdout, stderr } = await runProgram(args);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('choose another port with --https-port')]);
  busyServer.close();
});

it('the exit code is 2 with a line for each invalid HTTPS setting', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'note'), 'a note');
  const linesOf = async (...args: string[]) => {
    const { code, stderr } = await runProgram([...httpsArgs, ...args]);
    expect(code).toBe(2);
    return stderr.trim().split('\n');
  };
  expect(await linesOf('--tls-cert', join(folder, 'none'), '--tls-key', join(folder, 'note'))).toEqual([
    expect.stringMatching(/^merchant-sandbox: --tls-cert \S+none cannot be read \(there is no such file/),
    expect.stringMatching(/^merchant-sandbox: --tls-key \S+note has no private key in PEM form/),
  ]);
  expect(await linesOf('--tls-folder', join(folder, 'note', 'below'))).toEqual([
    expect.stringMatching(
      /^merchant-sandbox: the CA of this machine cannot be stored \(a part of its path is not a folder\); name another/,
    ),
  ]);
  expect(await linesOf('--tls-host', 'https://a.example')).toEqual([
    expect.stringMatching(/^merchant-sandbox: --tls-host must be only host names and addresses/),
  ]);
  expect(await linesOf('--tls-cert', join(folder, 'none'))).toEqual([
    'merchant-sandbox: --tls-cert also needs --tls-key: a certificate of your own and its private key',
  ]);
});
