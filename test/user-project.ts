import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { builtProgram } from '../scripts/build/built-program.mjs';
import { linkRunners, RUNNERS, TIME_LIMITS } from '../scripts/release/runners.mjs';

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
const SHIPPED = files.filter((name) => !name.startsWith('!'));
const EXCLUDED = files.filter((name) => name.startsWith('!')).map((name) => resolve(name.slice(1)));

/** Turns a folder into a user's project: installs this package as npm does, and links the test runners. */
export function installInto(folder: string): void {
  builtProgram();
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'merchant-sandbox');
  for (const name of ['package.json', ...SHIPPED]) {
    cpSync(name, join(installed, name), {
      recursive: true,
      filter: (source) => !EXCLUDED.includes(resolve(source)),
    });
  }
  linkRunners(modules);
}

/** Writes files of a project, by their paths. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export interface Run {
  code: number | null;
  /** Standard output and standard error, in the order of arrival. */
  output: string;
}

/** Runs a command in a folder, without the variables that Jest has set. */
export async function runIn(
  folder: string,
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^(?:JEST_|NODE_|MERCHANT_SANDBOX|SANDBOX_|FORCE_COLOR)/.test(name),
  );
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...Object.fromEntries(variables), NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const [code] = await once(child, 'close');
  return { code, output };
}

const PROGRAMS = { ...RUNNERS, 'merchant-sandbox': 'merchant-sandbox/dist/cli.js' };
const TIME_LIMIT_FLAGS: Record<keyof typeof PROGRAMS, string[]> = { ...TIME_LIMITS, 'merchant-sandbox': [] };

/** The command of a program that is installed in a project. */
export function commandOf(project: string, program: keyof typeof PROGRAMS, ...args: string[]): string[] {
  return [process.execPath, join(project, 'node_modules', PROGRAMS[program]), ...args, ...TIME_LIMIT_FLAGS[program]];
}
