// Starts balancers and sandboxes as processes, and creates a folder for their files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const folder = mkdtempSync(join(tmpdir(), 'sandbox-balancers-'));
const running = new Set();

export const haproxy = (file) => ['haproxy', '-f', file];

/** A complete nginx configuration that includes the file, and uses no path outside of our folder. */
export function nginx(file) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const main = `${file}.main`;
  writeFileSync(
    main,
    `pid ${folder}/nginx.pid;\nerror_log stderr crit;\nevents {}\nhttp { access_log off; ${paths.join(' ')} include ${file}; }\n`,
  );
  return ['nginx', '-c', main, '-e', 'stderr', '-g', 'daemon off; master_process off;'];
}

/** Starts a balancer with a configuration from docs/, in which the given words are replaced. */
export function startBalancer({ file, command }, words) {
  const configuration = join(mkdtempSync(join(folder, 'balancer-')), 'configuration');
  const pattern = new RegExp(`(?<![\\w.])(?:${Object.keys(words).join('|')})\\b`, 'g');
  writeFileSync(
    configuration,
    readFileSync(file, 'utf8').replace(pattern, (word) => words[word]),
  );
  start(command(configuration));
}

export async function startSandbox({ port, data, base, flags = [] }) {
  const settings = ['--port', String(port), '--data', data, '--public-url', base, '--quiet', ...flags];
  const child = start([process.execPath, 'dist/cli.js', 'start', ...settings]);
  await waitUntilReady(`http://127.0.0.1:${port}`);
  return child;
}

export async function end(child, signal = 'SIGTERM') {
  running.delete(child);
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

export async function endPrograms() {
  await Promise.all([...running].map((child) => end(child)));
}

export async function endAll() {
  await endPrograms();
  rmSync(folder, { recursive: true });
}

/** Waits until the sandbox at a URL is ready. Throws after 20 seconds. */
export async function waitUntilReady(url) {
  const signal = AbortSignal.timeout(20_000);
  for (;;) {
    const isReady = await fetch(`${url}/_sandbox/health/ready`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) {
      return;
    }
    signal.throwIfAborted();
    await pause(50);
  }
}

export function pause(milliseconds) {
  return new Promise((next) => setTimeout(next, milliseconds));
}

function start([command, ...args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  return child;
}
