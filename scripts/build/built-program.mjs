// The built program, for whoever runs it in place of the sources: one that is older than these says nothing of them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The program's file. Throws where it is not there, or where a source was changed after it was built.
 *
 * @param {string} [folder] where dist/ and src/ are
 */
export function builtProgram(folder = '.') {
  const program = join(folder, 'dist/cli.js');
  const built = timeOf(program);
  if (built === undefined) {
    throw new Error(`${program} is not there: what runs is the built program; npm run build first (npm test does)`);
  }
  const changed = sourcesIn(join(folder, 'src')).find((file) => (timeOf(file) ?? 0) > built);
  if (changed !== undefined) {
    throw new Error(`${program} is older than ${changed}: what runs is the built program; npm run build first`);
  }
  return program;
}

/** Whether it is there, and newer than all sources. */
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
