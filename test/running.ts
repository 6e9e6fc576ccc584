import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtProgram } from '../scripts/build/built-program.mjs';

export { freePort } from '../scripts/free-port.mjs';

/** The built program in a separate process. */
export interface Running {
  url: string;
  child: ChildProcess;
  output: () => string;
  /** Ends it by a signal; resolves with its exit code (null when the signal ended it). */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built program; resolves when it prints its address. */
export async function startProgram(...args: string[]): Promise<Running> {
  const child = spawnProgram(args);
  let output = '';
  const url = await addressOf(child, (chunk) => {
    output += chunk;
  });
  return {
    url,
    child,
    output: () => output,
    async end(signal) {
      // `exit` can be emitted before all output has been read.
      const ended = once(child, 'close');
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** Resolves with the address of a sandbox in a child process once it prints it; passes its output on. */
export function addressOf(child: ChildProcess, onOutput: (chunk: string) => void = () => undefined): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      onOutput(String(chunk));
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address) {
        resolve(address);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}: ${output}`)));
  });
}

/** Runs the built program to its end. */
export async function runProgram(
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawnProgram(args, environment);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Makes a folder for the PATH, with the built program in it as an installation has it. */
export function linkProgram(folder: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve(builtProgram()), join(folder, 'merchant-sandbox'));
  return folder;
}

/** Starts the built program, and waits for nothing. */
export function spawnProgram(
  args: string[],
  environment: Record<string, string> = {},
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [builtProgram(), ...args], {
    env: { ...process.env, ...environment },
    stdio: [input, 'pipe', 'pipe'],
  });
}
