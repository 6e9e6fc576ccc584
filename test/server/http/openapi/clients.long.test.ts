import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { documentOf } from './document.ts';

const FOLDER = 'test/server/http/openapi/generators';
const OUTPUT = `${FOLDER}/made`;

const run = promisify(execFile);
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT);
  writeFileSync(`${OUTPUT}/document.json`, JSON.stringify(await documentOf(sandbox)));
  await run(process.execPath, [`${FOLDER}/generate.mjs`, `${OUTPUT}/document.json`, OUTPUT]);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(OUTPUT, { recursive: true, force: true });
});

it('the generated clients and their drivers compile in strict mode', async () => {
  const { stdout } = await run('node_modules/.bin/tsc', ['-p', FOLDER]).catch((error) => error);
  expect(stdout).toBe('');
});

it.each([
  ['openapi-fetch', ['object']],
  // Before and after it was configured to parse JSON.
  ['hey-api', ['string', 'object']],
])('a generated client of %s can use all channels, a link and the control API', async (name, reads) => {
  const outfile = `${OUTPUT}/${name}.mjs`;
  await build({
    entryPoints: [`${FOLDER}/drive-${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const { stdout } = await run(process.execPath, [outfile, sandbox.sessionUrl(name)]);
  expect(JSON.parse(stdout)).toEqual({
    reads,
    statuses: ['00', 'Processing', 'Success', 'Success', 'Success'],
    split: '00',
    image: '/pay/images/image-1',
    refused: 401,
    paid: ['WALLET_QR 10.00'],
    clock: '2026-03-01T10:00:00.000Z',
    missing: 'unknown-record',
    restored: 200,
    cleared: 204,
  });
});
