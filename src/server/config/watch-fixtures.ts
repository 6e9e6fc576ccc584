import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { runEvery } from '../../base/timers.ts';
import { FOLDERS, isIgnored } from './fixture-files.ts';
import { FixtureError, type Fixtures } from './fixtures.ts';

/**
 * Milliseconds between two checks of the files. They are polled, because file system events do not report a changed target of a link or
 * a replaced folder, and do not reach most containers.
 */
const POLL_INTERVAL_MS = 250;

export interface FixtureWatch {
  /** Reads the fixtures again. Rejects with FixtureError if they cannot be used. */
  load(): Promise<Fixtures>;
  onFixtures(fixtures: Fixtures): Promise<void>;
  /** The last valid fixtures stay in use. */
  onInvalid(error: FixtureError): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Reads the user's fixtures again whenever a file in their folder has changed. `firstStamp` is the folder's stamp before the first
 * reading. Returns a function that stops watching.
 */
export function watchFixtures(folder: string, firstStamp: string, watch: FixtureWatch): () => Promise<void> {
  let loadedStamp = firstStamp;
  let previousStamp = firstStamp;
  let checking: Promise<void> | undefined;
  const check = async () => {
    const stamp = await stampOf(folder);
    // Editors write in several steps, so files are only read when they have stopped changing.
    const isStable = stamp === previousStamp;
    previousStamp = stamp;
    if (isStable && stamp !== loadedStamp) {
      loadedStamp = stamp;
      await reload(watch);
    }
  };
  const stop = runEvery(POLL_INTERVAL_MS, () => {
    checking ??= check()
      .catch(watch.onError)
      .finally(() => {
        checking = undefined;
      });
  });
  return async () => {
    stop();
    await checking;
  };
}

async function reload({ load, onFixtures, onInvalid }: FixtureWatch): Promise<void> {
  try {
    await onFixtures(await load());
  } catch (error) {
    if (!(error instanceof FixtureError)) {
      throw error;
    }
    await onInvalid(error);
  }
}

/** A string that changes when a file in a folder of fixtures is changed, added, removed or replaced; links are followed. */
export async function stampOf(folder: string): Promise<string> {
  const folders = [folder, ...FOLDERS.map((kind) => join(folder, kind))];
  const stamps = await Promise.all(folders.map(stampOfFiles));
  return stamps.flat().join('\n');
}

async function stampOfFiles(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => !isIgnored(name)).sort();
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
