import { spawnSync } from 'node:child_process';

/** Environment variables of npm and of tests, on which the programs of a release must not depend. */
const OWN =
  /^(?:npm_(?:lifecycle|package|command|execpath|node)|INIT_CWD|NODE_|JEST_|MERCHANT_SANDBOX|SANDBOX_|FORCE_COLOR)/;

/**
 * Runs a program to its end, and returns its output. Throws Error with the output if it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export function run(command, args, { cwd = '.', env = {} } = {}) {
  const isScript = process.platform === 'win32' && command === 'npm';
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    encoding: 'utf8',
    // On Windows, npm is a .cmd file, which only a shell starts.
    shell: isScript,
    maxBuffer: 1e8,
  });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}:\n${stdout}${stderr}`);
  }
  return stdout;
}

/** The environment of a user, who did not start npm's scripts or this project's tests. */
export function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(([name]) => !OWN.test(name));
  return { ...Object.fromEntries(entries), NO_COLOR: '1' };
}
