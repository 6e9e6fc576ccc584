// `npm run test:node -- 22`: all checks and tests on another Node.js, which npm installs; with test files after it, only these.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';

const [version = '', ...tests] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error(
    'usage: npm run test:node -- <version of Node.js, such as 24 or 24.1.0> [test files and flags of Jest]',
  );
  process.exit(2);
}

const folder = resolve(`node_modules/.cache/node-${version}`);
const program = resolve(folder, 'node_modules/node/bin/node');
if (!existsSync(program)) {
  mkdirSync(folder, { recursive: true });
  run(['install', '--prefix', folder, '--no-save', `node@${version}`]);
}
// On the PATH, so that programs that the tests start use it as well, because programs of npm use the first `node` on the PATH.
process.env['PATH'] = [dirname(program), process.env['PATH']].join(delimiter);
console.log(`Node.js ${spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout}`);
run(tests.length === 0 ? ['run', '--silent', 'test:all'] : ['run', '--silent', 'test:only', '--', ...tests]);

/** Ends this process if npm fails. */
function run(args) {
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
