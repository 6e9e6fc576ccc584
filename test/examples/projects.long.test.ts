import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';
import { temporaryFolders } from '../temporary-folder.ts';
import { commandOf, installInto, type Run, runIn } from '../user-project.ts';

const newFolder = temporaryFolders();
let project: string;

beforeAll(() => {
  project = newFolder();
  installInto(project);
});

/** Runs an example as its reader does: copied, with the package installed. */
function runExample(
  example: string,
  command: readonly string[],
  environment: Record<string, string> = {},
): Promise<Run> {
  const folder = join(project, basename(example));
  cpSync(example, folder, { recursive: true });
  return runIn(folder, command, environment);
}

it('the example runs with Jest, plain and without flags', async () => {
  const { code, output } = await runExample('test/examples/jest', commandOf(project, 'jest'));
  expect(output).toMatch(/^Tests: +6 passed, 6 total$/m);
  expect(code).toBe(0);
});

it('the example runs with Vitest, without globals', async () => {
  const { code, output } = await runExample('test/examples/vitest', commandOf(project, 'vitest', 'run'));
  expect(output).toMatch(/^ *Tests +4 passed \(4\)$/m);
  expect(code).toBe(0);
});

it('the example runs with node:test', async () => {
  const { code, output } = await runExample('test/examples/node-test', [
    process.execPath,
    '--test',
    '--test-reporter=tap',
  ]);
  expect(output).toMatch(/^# pass 3$/m);
  expect(code).toBe(0);
});

it('the example runs with Playwright, in a browser', async () => {
  const { executablePath, env } = launchOptions(findBrowser() ?? '');
  const ofBrowser = Object.entries(env).filter(([name, value]) => process.env[name] !== value);
  const environment = { ...Object.fromEntries(ofBrowser), CHROMIUM: executablePath };
  const { code, output } = await runExample(
    'test/examples/playwright',
    commandOf(project, 'playwright', 'test'),
    environment,
  );
  expect(output).toMatch(/^ *1 passed/m);
  expect(code).toBe(0);
});

it('the reconciliation runs with Vitest, with three seeds', async () => {
  const { code, output } = await runExample('examples/reconciliation', commandOf(project, 'vitest', 'run'));
  expect(output).toMatch(/^ *Tests +9 passed \(9\)$/m);
  expect(code).toBe(0);
});

// Not every machine has Python.
if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0) {
  it("the example runs with Python's unittest, with the sandbox as a separate process", async () => {
    const { code, output } = await runExample('test/examples/python', ['python3', '-m', 'unittest'], {
      MERCHANT_SANDBOX: commandOf(project, 'merchant-sandbox').join(' '),
    });
    expect(output).toMatch(/^Ran 4 tests.*^OK$/ms);
    expect(code).toBe(0);
  });

  it('the reconciliation runs in Python, with three seeds', async () => {
    const { code, output } = await runExample('examples/reconciliation', ['python3', '-m', 'unittest'], {
      MERCHANT_SANDBOX: commandOf(project, 'merchant-sandbox').join(' '),
    });
    expect(output).toMatch(/^Ran 3 tests.*^OK$/ms);
    expect(code).toBe(0);
  });
}
