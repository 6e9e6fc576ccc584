import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { startPostgres } from '../../scripts/postgres/server.mjs';
import { VERSION } from '../../src/base/package.ts';
import { exampleOf } from '../interface/examples.ts';
import { addressOf } from '../running.ts';

/** A user's folder, in which the packed package is installed. */
let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
  // Packs dist/ without a new build, because other tests run its files.
  tarball = output(process.cwd(), process.execPath, 'scripts/pack.mjs', '--built', folder).trim();
  writeFileSync(join(folder, 'package.json'), '{ "name": "a-shop", "private": true }');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball);
});
afterAll(() => rmSync(folder, { recursive: true }));

function npm(cwd: string, ...args: string[]): string {
  return output(cwd, process.platform === 'win32' ? 'npm.cmd' : 'npm', ...args);
}

function node(...args: string[]): string {
  return output(folder, process.execPath, ...args);
}

/** Runs a command in a folder without the Node.js options of these tests, and returns its output. */
function output(cwd: string, command: string, ...args: string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  }
  return stdout;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(resolve(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

it('the package installs without dependencies, in less than 4.5 megabytes', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['merchant-sandbox']);
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, 'node_modules', name)))
    .filter((file) => file.isFile());
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4_500_000);
});

it('the package contains everything that its pages link to', () => {
  const installed = join(folder, 'node_modules', 'merchant-sandbox');
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const links = pages.flatMap((page) => {
    const prose = readFileSync(join(installed, page), 'utf8').replace(/```.*?```/gs, '');
    const targets = [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
    return targets.map((target) => join(dirname(page), target));
  });
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !existsSync(join(installed, link)))).toEqual([]);
});

it('the installed package serves a payment on each channel, the pages and the reference', async () => {
  const program = join('node_modules', '.bin', 'merchant-sandbox');
  const child = spawn(program, ['start', '--port', '0', '--data', ':memory:', '--check-answers'], { cwd: folder });
  try {
    const url = await addressOf(child);
    const channels = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
    for (const walletName of channels) {
      const mobile = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {};
      const members = { walletName, payerReference: walletName, ...mobile };
      const body = JSON.stringify(exampleOf('requests/single-payment', members));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/init/authenticate/merchant/wallet`, { method: 'POST', headers, body });
      expect([walletName, answer.status, await answer.text()]).toEqual([walletName, 200, expect.any(String)]);
    }
    const payments = JSON.parse(node(...cli('payments', '--json', '--url', url)));
    expect(payments).toHaveLength(channels.length);
    for (const path of [
      '/',
      '/pay/approve',
      '/pay/phone',
      '/_sandbox/docs',
      '/_sandbox/guide/',
      '/_sandbox/guide/webhooks',
      '/_sandbox/guide/webhooks.md',
    ]) {
      const page = await fetch(url + path, { headers: { accept: 'text/html' } });
      expect([path, page.status, (await page.text()).length]).toEqual([path, 200, expect.any(Number)]);
    }
  } finally {
    child.kill();
  }
});

const cli = (...args: string[]) => [join('node_modules', 'merchant-sandbox', 'dist', 'cli.js'), ...args];

const USE = `
  startSandbox().then(async (sandbox) => {
    const { status } = await sandbox.client.health();
    await sandbox.close();
    console.log(status, sandbox.client instanceof SandboxClient);
  });
`;

it('require and import load the same code of the package', () => {
  expect(
    node(write('required.cjs', `const { startSandbox, SandboxClient } = require('merchant-sandbox');${USE}`)),
  ).toBe('ok true\n');
  expect(node(write('imported.mjs', `import { startSandbox, SandboxClient } from 'merchant-sandbox';${USE}`))).toBe(
    'ok true\n',
  );
  const script = "import * as imported from 'merchant-sandbox'; import { createRequire } from 'node:module';";
  const isSame = `const required = createRequire(import.meta.url)('merchant-sandbox');
    console.log(Object.keys(required).every((name) => required[name] === imported[name]));`;
  expect(node(write('both.mjs', script + isSame))).toBe('true\n');
});

it('Jest loads the package by default', () => {
  write(
    'shop.test.js',
    `const { startSandbox } = require('merchant-sandbox');
     test('a sandbox', async () => {
       const sandbox = await startSandbox();
       expect(await sandbox.client.health()).toMatchObject({ status: 'ok' });
       await sandbox.close();
     });`,
  );
  node(resolve('node_modules/jest/bin/jest.js'), '--rootDir', folder, '--ci', '--testTimeout=180000');
});

it.each([
  ['CommonJS', { module: 'commonjs', moduleResolution: 'bundler' }, 'cts'],
  ['CommonJS as Node.js sees it', { module: 'nodenext' }, 'cts'],
  ['modules as Node.js sees them', { module: 'nodenext' }, 'mts'],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }, 'ts'],
])('the package has types for %s', (_, compilerOptions, extension) => {
  const source = write(
    `types/use.${extension}`,
    `import { type Sandbox, SandboxClient, startSandbox } from 'merchant-sandbox';
     import { useSandbox } from 'merchant-sandbox/jest';
     export const started: Promise<Sandbox> = startSandbox({ port: 0 });
     export const client = new SandboxClient({ url: 'http://127.0.0.1:4100' });
     // @ts-expect-error: a port is a number
     void startSandbox({ port: '4100' });
     export const session: SandboxClient = useSandbox({ sessionPer: 'test', settings: { port: 0 } });
     // @ts-expect-error: there is no such option
     useSandbox({ senario: 'declined' });`,
  );
  const options = {
    ...compilerOptions,
    strict: true,
    noEmit: true,
    types: [],
    lib: ['es2023', 'dom'],
    skipLibCheck: false,
  };
  const config = write('types/tsconfig.json', JSON.stringify({ compilerOptions: options, files: [source] }));
  node(resolve('node_modules/typescript/bin/tsc'), '-p', config);
});

it('the package can store its data in PostgreSQL', async () => {
  const server = await startPostgres({ fsync: false });
  const script = write(
    'on-postgres.mjs',
    `import { startSandbox } from 'merchant-sandbox';
     const sandbox = await startSandbox({ data: process.argv[2] });
     console.log((await sandbox.client.currentScenario()).name);
     await sandbox.client.useScenario('auto-approve');
     await sandbox.close();`,
  );
  const database = await server.newDatabase();
  expect([node(script, database), node(script, database)]).toEqual(['payer-decides\n', 'auto-approve\n']);
  await server.stop();
});

it('a package linter has no complaints about the package', async () => {
  const { messages, pkg } = await publint({ pkgDir: join(folder, 'node_modules', 'merchant-sandbox'), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it('the package names every library in it, with its licence, also in a bill of materials', () => {
  const dist = join(folder, 'node_modules', 'merchant-sandbox', 'dist');
  const text = readFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  const bill = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
  const packages = [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*), /gm)].map(([, name, version]) => `${name}@${version}`);
  const components = bill.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
  expect(components.sort()).toEqual(packages.sort());
  expect(bill.metadata.component).toMatchObject({ name: 'merchant-sandbox', version: VERSION });
  for (const library of [
    'express',
    'ajv',
    'lowdb',
    'pino',
    'qrcode',
    'multer',
    'handlebars',
    'pg',
    'node-pg-migrate',
  ]) {
    expect(text).toMatch(new RegExp(`^${library} \\d+\\.\\d+\\.\\d+, `, 'm'));
  }
});
