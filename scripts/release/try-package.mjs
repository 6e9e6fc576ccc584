// Follows the README with the packed package: install, start, pay, report, test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findBrowser, launchOptions } from '../browser.mjs';
import { cleanEnvironment, run } from './run.mjs';
import { linkRunners, RUNNERS, TIME_LIMITS } from './runners.mjs';

const PROGRAM = join('node_modules', 'merchant-sandbox', 'dist', 'cli.js');
const isWindows = process.platform === 'win32';

/**
 * Installs a version of Node.js by npm.
 *
 * @param {string} folder
 * @param {string} version such as 24
 */
export function fetchNode(folder, version) {
  mkdirSync(folder, { recursive: true });
  run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${version}`]);
  return join(folder, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');
}

/** Installs only the tarball in an empty folder. Returns a function that runs a program there, with this Node.js. */
export function installIn(project, { tarball, node }) {
  mkdirSync(project, { recursive: true });
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  const runThere = (command, args, { cwd = project, env = {} } = {}) =>
    run(command, args, { cwd, env: { PATH: path, ...env } });
  runThere('npm', ['install', '--no-audit', '--no-fund', tarball]);
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed.join() === 'merchant-sandbox', `an install adds ${installed.join(', ')}, not only the package`);
  return runThere;
}

/** The files of an installed package with their sizes, and problems of its package.json. */
export function inspectPackage(project) {
  const root = join(project, 'node_modules', 'merchant-sandbox');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ path: file.slice(root.length + 1).replaceAll('\\', '/'), size: statSync(file).size }));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const unwanted = ['dependencies', 'devDependencies', 'optionalDependencies', 'scripts'].filter(
    (name) => manifest[name],
  );
  expect(unwanted.length === 0, `the published package.json has ${unwanted.join(', ')}`);
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Starts the sandbox, pays, reads the report, and stops it. */
export async function payOnce(project, { runThere, node, version }) {
  const printed = runThere('npm', ['exec', '--', 'merchant-sandbox', '--version']).trim();
  expect(printed === version, `the installed command has version ${printed}, not ${version}`);
  const args = [PROGRAM, 'start', '--port', '0', '--data', ':memory:', '--quiet', '--print-url'];
  const child = spawn(node, args, { cwd: project, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  try {
    const [url] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      exit.then(([code]) => Promise.reject(new Error(`the sandbox ended with ${code}`))),
    ]);
    const command = (...words) => runThere(node, [PROGRAM, ...words, '--url', url]);
    command('wait');
    command('pay', 'ORDER-1', '--outcome', 'Paid');
    const { state } = JSON.parse(command('payments', 'ORDER-1', '--json'));
    expect(state === 'Paid', `the payment is ${state}, not Paid`);
    command('report');
  } finally {
    child.kill();
  }
  const [code] = await exit;
  // Windows has no SIGTERM: the process ends at once.
  expect(isWindows || code === 0, `after SIGTERM, the sandbox ended with ${code}`);
}

/** The example project of each runner that the package contains, with its command; a browser and Python may be missing. */
export function examplesFor({ node, python }) {
  const withRunner = (name, ...args) => [
    node,
    [join('..', 'node_modules', RUNNERS[name]), ...args, ...TIME_LIMITS[name]],
  ];
  const browser = findBrowser();
  return [
    { name: 'Jest', folder: 'jest', command: withRunner('jest') },
    { name: 'Vitest', folder: 'vitest', command: withRunner('vitest', 'run') },
    { name: 'node:test', folder: 'node-test', command: [node, ['--test']] },
    ...(browser === undefined
      ? []
      : [
          {
            name: 'Playwright',
            folder: 'playwright',
            command: withRunner('playwright', 'test'),
            env: browserFor(browser),
          },
        ]),
    ...(python === undefined
      ? []
      : [
          {
            name: 'unittest',
            folder: 'python',
            command: [python, ['-m', 'unittest']],
            env: { MERCHANT_SANDBOX: `"${node}" "../${PROGRAM.replaceAll('\\', '/')}"` },
          },
        ]),
  ];
}

/** Runs a copy of an example with the installed package and the test runners of this checkout. */
export function runExample(project, { runThere, example: { folder, command, env } }) {
  linkRunners(join(project, 'node_modules'));
  const copy = join(project, folder);
  cpSync(join(project, 'node_modules', 'merchant-sandbox', 'test', 'examples', folder), copy, { recursive: true });
  runThere(command[0], command[1], { cwd: copy, env });
}

function browserFor(browser) {
  const { executablePath, env } = launchOptions(browser);
  const changed = Object.entries(env).filter(([name, value]) => process.env[name] !== value);
  return { ...Object.fromEntries(changed), CHROMIUM: executablePath };
}

function expect(isTrue, problem) {
  if (!isTrue) {
    throw new Error(problem);
  }
}
