// The action's steps are run as GitHub's runner runs them: each with bash, in the order of action.yml.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { VERSION } from '../../src/base/package.ts';
import { linkProgram, runProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

interface Step {
  id: string;
  run: string;
  env: Record<string, string>;
}

const temporaryFolder = temporaryFolders();
const action = parse(readFileSync('action.yml', 'utf8'));
const steps: Step[] = action.runs.steps;

/** Runs all steps with some inputs; an npm that installs the built program replaces the registry. */
function runAction(inputs: Record<string, string>, program?: string) {
  const folder = temporaryFolder();
  const files = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_PATH: join(folder, 'path'),
  };
  for (const file of Object.values(files)) {
    writeFileSync(file, '');
  }
  const temporary = join(folder, 'temporary');
  const tools = join(folder, 'tools');
  const installed = program === undefined ? linkProgram(join(folder, 'installed')) : join(folder, 'installed');
  mkdirSync(temporary);
  mkdirSync(tools);
  const npm = `#!/bin/sh\necho "$@" > ${folder}/npm\nmkdir -p ${temporary}/merchant-sandbox && ln -s ${installed} ${temporary}/merchant-sandbox/bin\n`;
  writeFileSync(join(tools, 'npm'), npm, { mode: 0o755 });
  if (program !== undefined) {
    mkdirSync(installed);
    writeFileSync(join(installed, 'merchant-sandbox'), program, { mode: 0o755 });
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const values: Record<string, string> = Object.fromEntries(
    Object.entries<{ default: string }>(action.inputs).map(([name, input]) => [name, inputs[name] ?? input.default]),
  );
  let [status, printed] = [0 as number | null, ''];
  for (const step of steps) {
    const env = {
      ...process.env,
      ...files,
      RUNNER_TEMP: temporary,
      GITHUB_ACTION_PATH: process.cwd(),
      // Folders that an earlier step has added to the path.
      PATH: [tools, ...read('path').split('\n').filter(Boolean), process.env['PATH']].join(delimiter),
      ...Object.fromEntries(
        Object.entries(step.env).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input) => values[input] ?? ''),
        ]),
      ),
    };
    const script = join(folder, `${step.id}.sh`);
    writeFileSync(script, step.run);
    const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { env, encoding: 'utf8' });
    status = result.status;
    printed += result.stdout + result.stderr;
    if (status !== 0) {
      break;
    }
  }
  const outputs = Object.fromEntries(
    read('output')
      .split('\n')
      .map((line) => line.split(/=(.*)/)),
  );
  return { status, printed, outputs, environment: read('env'), npm: read('npm') };
}

const hasBash = spawnSync('bash', ['--version']).status === 0;
if (hasBash) {
  it('the action installs its own version, starts it, waits, and outputs its address', async () => {
    const { status, outputs, environment, npm } = runAction({});
    expect([status, npm]).toEqual([0, expect.stringContaining(`merchant-sandbox@${VERSION}\n`)]);
    expect(environment).toBe(`MERCHANT_SANDBOX_URL=${outputs.url}\n`);
    expect((await runProgram(['health', '--url', outputs.url])).code).toBe(0);
    expect(readFileSync(outputs.log, 'utf8')).toBe('');
    process.kill(Number(outputs.pid), 'SIGTERM');
  });

  it('the action passes on version and flags', async () => {
    const args = '--data :memory: --scenario declined\n--log-format json --log-level info';
    const { status, outputs, npm } = runAction({ version: 'next', args });
    expect([status, npm]).toEqual([0, expect.stringContaining('merchant-sandbox@next\n')]);
    expect(JSON.parse(readFileSync(outputs.log, 'utf8'))).toMatchObject({
      msg: 'ready',
      scenario: 'declined',
      pid: Number(outputs.pid),
    });
    process.kill(Number(outputs.pid), 'SIGTERM');
  });

  it('an empty input of the action means its default', async () => {
    const { status, outputs } = runAction({ version: '', port: '', timeout: '', args: '--data :memory: --seed=' });
    expect([status, new URL(outputs.url).port]).toEqual([0, expect.not.stringMatching('4100')]);
    process.kill(Number(outputs.pid), 'SIGTERM');
  });

  it('the action fails with the reason if the sandbox does not start, and sets no outputs', () => {
    const { status, printed, outputs } = runAction({ args: '--data :memory: --now noon' });
    expect([status, outputs]).toEqual([1, { '': undefined }]);
    expect(printed).toContain('::error::');
    expect(printed).toContain('--now must be an RFC 3339 instant');
  });

  it('the action ends a sandbox that is not ready in time', () => {
    const program = '#!/bin/sh\ntrap "echo ended >&2; exit" TERM\necho begun >&2\nwhile :; do sleep 0.1; done\n';
    const { status, printed } = runAction({ timeout: '1' }, program);
    expect([status, printed]).toEqual([1, expect.stringMatching(/::error::.* within 1 seconds\nbegun\nended\n$/)]);
  });
}

it('the action has the outputs that its steps write', () => {
  const outputs = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => {
    expect(value).toBe(`\${{ steps.start.outputs.${name} }}`);
    return name;
  });
  const start = steps.find(({ id }) => id === 'start')?.run ?? '';
  expect(
    [...start.matchAll(/^ +echo "(\w+)=/gm)].map(([, name]) => name).filter((name) => name !== 'MERCHANT_SANDBOX_URL'),
  ).toEqual(outputs);
});
