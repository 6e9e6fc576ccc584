// Whether the oldest supported builders accept the Dockerfile: Docker 20.10 without BuildKit, which Debian 12 has, and Podman's builder
// buildah of the same age. If buildah is installed, it builds and runs the image.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addressOf, freePort } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** The useful instructions of Docker 20.10 and their flags. RUN has none, because its flags need BuildKit. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['ARG', 'CMD', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'LABEL', 'RUN', 'STOPSIGNAL', 'USER', 'VOLUME', 'WORKDIR'].map(
      (name) => [name, []],
    ),
  ),
  FROM: ['platform'],
  ADD: ['chown'],
  COPY: ['chown', 'from'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
};

const instructions = dockerfile
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const [name = '', ...words] = line.trim().split(/\s+/);
    const end = words.findIndex((word) => !word.startsWith('--'));
    return { name, line, flags: words.slice(0, end).map((flag) => flag.replace(/^--|=.*$/g, '')) };
  });

it('the Dockerfile has only instructions and flags that Docker 20.10 knows', () => {
  expect(instructions.filter(({ name, flags }) => flags.some((flag) => !KNOWN[name]?.includes(flag)))).toEqual([]);
  expect(instructions.filter(({ name, line }) => !(name in KNOWN) || line.includes('<<'))).toEqual([]);
  expect(dockerfile).not.toMatch(/^# *(syntax|escape) *=/m);
});

it('the Dockerfile names its base images by its own variables, because only BuildKit sets others', () => {
  const from = instructions.filter(({ name }) => name === 'FROM');
  const set = instructions.flatMap(({ name, line }) => (name === 'ARG' ? (/ARG (\w+)=\S/.exec(line)?.[1] ?? []) : []));
  expect(from).toHaveLength(2);
  for (const { line } of from) {
    expect([...line.matchAll(/\$\{?(\w+)/g)].map(([, variable]) => variable)).toEqual(set);
  }
});

/** Runs a command to its end, and returns its output. Throws if it fails. */
function run(command: string, args: readonly string[], cwd = process.cwd()): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) {
    throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  }
  return stdout;
}

/** Copies Node.js and a few programs of this machine into a root folder, because a base image would have to be downloaded. */
function makeRoot(root: string): void {
  const programs = ['sh', 'env', 'id', 'mkdir', 'chown'].map((name) => run('sh', ['-c', `command -v ${name}`]).trim());
  const bin = join(root, 'usr/bin');
  for (const program of [process.execPath, ...programs]) {
    cpSync(realpathSync(program), join(bin, basename(program)));
    for (const [, library = ''] of run('ldd', [program]).matchAll(/(\/\S+) \(0x/g)) {
      cpSync(realpathSync(library), join(root, library));
    }
  }
  symlinkSync('usr/bin', join(root, 'bin'));
  for (const folder of ['etc', 'tmp', 'usr/local']) {
    mkdirSync(join(root, folder));
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

const CHROOT = ['--isolation', 'chroot', '--network', 'host'];

/** buildah with a separate storage, which contains only what is built here. */
class Buildah {
  readonly #storage: readonly string[];

  constructor(folder: string) {
    const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'running')];
    this.#storage = ['--storage-driver', 'vfs', ...places];
  }

  /** Whether buildah is installed and may build, which needs root or subordinate user ids. */
  get canBuild(): boolean {
    return spawnSync('buildah', [...this.#storage, 'from', 'scratch']).status === 0;
  }

  run(...args: string[]): string {
    return run('buildah', [...this.#storage, ...args]).trim();
  }

  start(...args: string[]) {
    return spawn('buildah', [...this.#storage, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Creates an image from the files in a folder. */
  importFolder(folder: string, image: string): void {
    const container = this.run('from', 'scratch');
    this.run('copy', '--quiet', container, folder, '/');
    this.run('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
    this.run('commit', '--quiet', container, image);
  }
}

/** Installs the package as the first stage of the Dockerfile does, but without the network. */
function installPackage(prefix: string): void {
  const folder = temporaryFolder();
  run('node', ['scripts/pack.mjs', '--built', folder]);
  const [tarball = ''] = readdirSync(folder);
  run('npm', [
    'install',
    '--global',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    prefix,
    join(folder, tarball),
  ]);
}

it('the image can be built in the folder of the installed npm package, as the compose files need', () => {
  const [folder, prefix] = [temporaryFolder(), temporaryFolder()];
  run('node', ['scripts/pack.mjs', '--built', folder]);
  run('tar', ['-xzf', readdirSync(folder)[0] ?? ''], folder);
  const context = join(folder, 'package');
  const [build] = instructions.filter(({ name }) => name === 'RUN');
  const command = build?.line.replace('RUN ', '').replace('--prefix /package', `--offline --prefix ${prefix}`) ?? '';
  expect(readFileSync(join(context, 'Dockerfile'), 'utf8')).toBe(dockerfile);
  run('sh', ['-c', command], context);
  expect(run(join(prefix, 'bin/merchant-sandbox'), ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const buildah = new Buildah(temporaryFolder());
if (buildah.canBuild) {
  it('the image is built by buildah, and runs as an unprivileged user, healthy, until a SIGTERM', async () => {
    const context = temporaryFolder();
    makeRoot(join(context, 'root'));
    buildah.importFolder(join(context, 'root'), 'docker.io/library/node:22-alpine');
    installPackage(join(context, 'package'));
    const [head = '', , last = ''] = dockerfile.split(/^(?=FROM )/m);
    writeFileSync(join(context, 'Dockerfile'), `${head}FROM scratch AS build\nCOPY package /package\n${last}`);
    buildah.run('build', '--format', 'docker', '--pull-never', ...CHROOT, '--tag', 'sandbox', context);
    const { Healthcheck, Entrypoint } = JSON.parse(buildah.run('inspect', '--type', 'image', 'sandbox')).Docker.config;
    expect(Healthcheck.Test).toEqual(['CMD', 'merchant-sandbox', 'health']);

    const container = buildah.run('from', '--pull-never', 'sandbox');
    buildah.run('config', '--env', `SANDBOX_PORT=${await freePort()}`, container);
    const inside = (...command: string[]) => ['run', ...CHROOT, container, '--', ...command];
    expect(buildah.run(...inside('id', '-u'))).toBe('1000');
    const sandbox = buildah.start(...inside(...Entrypoint, 'start', '--log-format', 'json'));
    let output = '';
    await addressOf(sandbox, (chunk) => {
      output += chunk;
    });
    expect(() => buildah.run(...inside(...Healthcheck.Test.slice(1)))).not.toThrow();
    process.kill(JSON.parse(output.split('\n')[0] ?? '').pid, 'SIGTERM');
    expect(await once(sandbox, 'exit')).toEqual([0, null]);
    expect(() => buildah.run(...inside(...Healthcheck.Test.slice(1)))).toThrow('no sandbox answers');
  });
}
