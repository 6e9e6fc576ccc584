// Finds the built program, and rejects one that is older than the sources, because a check of it would be useless.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The program's file. Throws if it does not exist, or if a source was changed after the build.
 *
 * @param {string} [folder] where dist/ and src/ are
 */
export function builtProgram(folder = '.') {
  const program = join(folder, 'dist/cli.js');
  const built = timeOf(program);
  if (built === undefined) {
    throw new Error(
      `${program} does not exist, but the built program is tested: run npm run build first (npm test does)`,
    );
  }
  const changed = sourcesIn(join(folder, 'src')).find((file) => (timeOf(file) ?? 0) > built);
  if (changed !== undefined) {
    throw new Error(`${program} is older than ${changed}, but the built program is tested: run npm run build first`);
  }
  return program;
}

/** Whether it exists and is newer than all sources. */
export function isBuilt() {
  try {
    return builtProgram() !== '';
  } catch {
    return false;
  }
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
