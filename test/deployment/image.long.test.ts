// Runs the commands of Dockerfile and compose.yaml without a container engine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { addressOf, freePort, linkProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
/** The last stage, which is the image that runs. */
const image =
  readFileSync('Dockerfile', 'utf8')
    .split(/^FROM /m)
    .at(-1) ?? '';
const { services } = parse(readFileSync('compose.yaml', 'utf8'));

const [entryPoint, health] = [/^ENTRYPOINT (.+)$/m, /^HEALTHCHECK .+ CMD (.+)$/m].map((pattern): string[] =>
  JSON.parse(pattern.exec(image)?.[1] ?? '[]'),
) as [string[], string[]];

/** Folders and variables as in a container, except for the port. */
async function container() {
  const root = temporaryFolder();
  for (const name of ['data', 'fixtures', 'home']) {
    mkdirSync(join(root, name));
  }
  const variables = [...(/^ENV (.+)$/m.exec(image)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value.replace(/^\//, `${root}/`)],
  );
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(variables),
    PATH: [linkProgram(join(root, 'bin')), resolve(process.execPath, '..'), process.env['PATH']].join(delimiter),
    HOME: join(root, 'home'),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_CONTROL_TOKEN: 'a-token',
  };
  const start = ([command = '', ...args]: string[], extraEnv: NodeJS.ProcessEnv = {}) =>
    spawn(command, args, { cwd: join(root, 'data'), env: { ...env, ...extraEnv }, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = async (words: string[], extraEnv?: NodeJS.ProcessEnv) => {
    const child = start(words, extraEnv);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, output };
  };
  return { root, start, run };
}

it('the image needs no volume: it stores nothing without --data, and only there with it', async () => {
  const { root, start } = await container();
  expect(image).not.toMatch(/^VOLUME/m);
  for (const [args, stored] of [
    [[], []],
    [['--data', join(root, 'data', 'state.json')], ['state.json']],
  ] as const) {
    const sandbox = start([...entryPoint, ...args]);
    await addressOf(sandbox);
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
    expect(readdirSync(join(root, 'data')).filter((name) => name === 'state.json')).toEqual(stored);
    expect(readdirSync(join(root, 'data')).length > 0).toBe(args.length > 0);
  }
});

it('the image accepts flags, is healthy without a token, writes nothing, and ends cleanly', async () => {
  const { root, start, run } = await container();
  const sandbox = start([...entryPoint, '--scenario', 'declined']);
  const url = await addressOf(sandbox);
  expect((await run(health, { SANDBOX_CONTROL_TOKEN: undefined })).code).toBe(0);
  const scenarios = await run([...entryPoint, 'scenario']);
  expect([scenarios.code, /^\* +(\S+)/m.exec(scenarios.output)?.[1]]).toEqual([0, 'declined']);

  // The service that waits for it, from elsewhere.
  expect(services.sandbox.healthcheck.test).toEqual(['CMD', ...health]);
  expect(services.shop.depends_on).toEqual({ sandbox: { condition: 'service_healthy' } });
  const shop = await run([...entryPoint, ...services.shop.command], { MERCHANT_SANDBOX_URL: url });
  expect([shop.code, shop.output]).toEqual([0, expect.stringContaining('auto-approve')]);

  sandbox.kill(/^STOPSIGNAL (\w+)$/m.exec(image)?.[1] as NodeJS.Signals);
  expect(await once(sandbox, 'exit')).toEqual([0, null]);
  expect((await run(health)).code).toBe(1);
  expect(readdirSync(join(root, 'home'))).toEqual([]);
  expect(readdirSync(join(root, 'fixtures'))).toEqual([]);
  expect(readdirSync(join(root, 'data'))).toEqual([]);
});

describe.each(['compose.yaml', 'compose.nodes.yaml'])('%s', (file) => {
  const compose = parse(readFileSync(file, 'utf8'), { merge: true });
  const { files }: { files: string[] } = JSON.parse(readFileSync('package.json', 'utf8'));

  it('has no top-level member that docker-compose 1.29 does not know', () => {
    const allowedKeys = /^(?:version|services|networks|volumes|secrets|configs|x-.*)$/;
    expect(Object.keys(compose).filter((name) => !allowedKeys.test(name))).toEqual([]);
  });

  it('is in the package, with the Dockerfile that it builds and the files that it mounts', () => {
    const contexts = Object.values<{ build?: string }>(compose.services).flatMap(({ build = [] }) => build);
    expect(new Set(contexts)).toEqual(new Set(['.']));
    const volumes = Object.values<{ volumes?: string[] }>(compose.services).flatMap((each) => each.volumes ?? []);
    const mounted = volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split('/')[1]);
    expect(files).toEqual(expect.arrayContaining([file, 'Dockerfile', ...mounted]));
  });
});

it('the image contains everything that the package is built from', () => {
  const context = temporaryFolder();
  const paths = [...readFileSync('.dockerignore', 'utf8').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
  const matching = paths.flatMap((path) =>
    path.includes('*')
      ? readdirSync('.').filter((name) => new RegExp(`^${path.replaceAll('.', '\\.').replace('*', '.*')}$`).test(name))
      : [path],
  );
  for (const path of matching) {
    cpSync(path, join(context, path), { recursive: true, filter: (source) => !source.includes('node_modules') });
  }
  symlinkSync(resolve('node_modules'), join(context, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: context, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of ['dist', 'assets', 'fixtures', 'migrations', 'schemas']) {
    expect([name, filesOf(join(context, name))]).toEqual([name, filesOf(name)]);
  }
});
