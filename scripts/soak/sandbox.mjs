// Starts the built program as a child process with a new data file, and measures its memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROBE = new URL('probe.mjs', import.meta.url).href;

export async function startSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-soak-'));
  const data = join(folder, 'state.json');
  // A small request log is full before anything is measured.
  const program = ['dist/cli.js', 'start', '--port', '0', '--data', data, '--request-log-size', '2'];
  const child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, ...program, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  exit.then(() => rmSync(folder, { recursive: true, force: true }));
  const died = exit.then(([code, signal]) => Promise.reject(new Error(`the sandbox ended with ${code ?? signal}`)));
  died.catch(() => undefined);
  return {
    url: await addressOf(child),
    /** Rejects if the program ends by itself. */
    died,
    async sample() {
      child.send('sample');
      const [memory] = await once(child, 'message');
      const files = `/proc/${child.pid}/fd`;
      return {
        ...memory,
        descriptors: existsSync(files) ? readdirSync(files).length : undefined,
        stateFile: sizeOf(data),
        journal: sizeOf(`${data}.journal`),
      };
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function addressOf(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address) {
        child.stdout.resume();
        resolve(address);
      }
    });
  });
}

function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
