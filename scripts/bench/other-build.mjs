// Builds the program of another commit, in a folder for temporary files, once for each commit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BUILDS = join(tmpdir(), 'merchant-sandbox-builds');

/** Resolves `ref` and returns the commit's name and the folder of its build. Throws if the commit does not exist, or the build fails. */
export function buildOf(ref) {
  const commit = execFileSync('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    encoding: 'utf8',
  }).trim();
  const folder = resolve(BUILDS, commit);
  if (!existsSync(folder)) {
    const making = `${folder}.new`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    const files = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
    execFileSync('tar', ['-x', '-C', making], { input: files });
    const run = (...args) => execFileSync('npm', args, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    const hasSameLibraries =
      readFileSync(`${making}/package-lock.json`, 'utf8') === readFileSync('package-lock.json', 'utf8');
    if (hasSameLibraries) {
      symlinkSync(resolve('node_modules'), `${making}/node_modules`);
    } else {
      run('ci', '--ignore-scripts', '--no-audit', '--no-fund');
    }
    run('run', '--silent', 'build');
    renameSync(making, folder);
  }
  return { commit: commit.slice(0, 8), folder };
}
