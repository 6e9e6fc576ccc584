// Servers and load generators as processes pinned to a core each, where the machine can pin.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const canPin = spawnSync('taskset', ['-c', '1', 'true']).status === 0;

function command(core, args) {
  return canPin ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, args];
}

/** Starts a server on core 0; resolves with its address (the first http address it prints) and how to stop it. */
export async function startServer(args) {
  const [program, all] = command(0, args);
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
    lines.on('line', (line) => {
      const address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (address) {
        resolve(address);
      }
    });
  });
  return {
    url,
    /** Resident memory in MB. */
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Runs the load generator on core 1. */
export async function load(options) {
  const [program, all] = command(1, [new URL('load.mjs', import.meta.url).pathname, JSON.stringify(options)]);
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'exit');
  const result = JSON.parse(text);
  if (result.failed > 0) {
    throw new Error(`${result.failed} requests of the load on ${options.url} failed`);
  }
  return result;
}

/** Milliseconds from the start of a process to its first answer to a request. */
export async function timeToFirstAnswer(args, path, body) {
  const started = performance.now();
  const server = await startServer(args);
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.text();
  const milliseconds = performance.now() - started;
  await server.stop();
  return milliseconds;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
