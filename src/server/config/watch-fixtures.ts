import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { runEvery } from '../../base/timers.ts';
import { FOLDERS, isLeftover } from './fixture-files.ts';
import { FixtureError, type Fixtures } from './fixtures.ts';

/**
 * Milliseconds between two looks at the files. They are looked at, since the system's notices say nothing of a link that leads elsewhere
 * or of a folder that was replaced, and do not reach into most containers.
 */
const POLL_INTERVAL_MS = 250;

export interface FixtureWatch {
  /** Reads the fixtures again. Rejects with FixtureError where they cannot be used. */
  load(): Promise<Fixtures>;
  onFixtures(fixtures: Fixtures): Promise<void>;
  /** The last good fixtures stay. */
  onBroken(error: FixtureError): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Reads the user's fixtures again whenever a file in their folder is no longer as it was in `loaded`, which `stampOf` gave before they
 * were read. Returns how to stop.
 */
export function watchFixtures(folder: string, loaded: string, watch: FixtureWatch): () => Promise<void> {
  let inUse = loaded;
  let previous = loaded;
  let look: Promise<void> | undefined;
  const lookAgain = async () => {
    const stamp = await stampOf(folder);
    // Editors write in several steps: what is still changing is read when it has come to rest.
    const isAtRest = stamp === previous;
    previous = stamp;
    if (isAtRest && stamp !== inUse) {
      inUse = stamp;
      await reload(watch);
    }
  };
  const stop = runEvery(POLL_INTERVAL_MS, () => {
    look ??= lookAgain()
      .catch(watch.onError)
      .finally(() => {
        look = undefined;
      });
  });
  return async () => {
    stop();
    await look;
  };
}

async function reload({ load, onFixtures, onBroken }: FixtureWatch): Promise<void> {
  try {
    await onFixtures(await load());
  } catch (error) {
    if (!(error instanceof FixtureError)) {
      throw error;
    }
    await onBroken(error);
  }
}

/** Differs where a file in a folder of fixtures was changed, added, removed or replaced. Links count as what they lead to. */
export async function stampOf(folder: string): Promise<string> {
  const folders = [folder, ...FOLDERS.map((kind) => join(folder, kind))];
  const stamps = await Promise.all(folders.map(stampOfFiles));
  return stamps.flat().join('\n');
}

async function stampOfFiles(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => !isLeftover(name)).sort();
    return await Promise.all(names.map((name) => stampOfFile(join(folder, name))));
  } catch (error) {
    return [`${folder} ${codeOf(error)}`];
  }
}

async function stampOfFile(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = await stat(path, { bigint: true });
    return [path, dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');
  } catch (error) {
    return `${path} ${codeOf(error)}`;
  }
}
