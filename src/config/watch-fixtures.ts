import { afterMilliseconds } from '../base/timers.ts';
import { FixtureError, type Fixtures } from './fixtures.ts';

/**
 * Milliseconds without a change before files are read: editors write in several steps. Twice as long as chokidar keeps further
 * changes of a file to itself. Its own `awaitWriteFinish` goes by the machine's clock: where that is set back, it waits for ever.
 */
const SETTLED_MS = 100;

export interface FixtureWatch {
  /** Reads the fixtures anew. Rejects with FixtureError where they cannot be used. */
  load(): Promise<Fixtures>;
  onFixtures(fixtures: Fixtures): Promise<void>;
  /** The last good fixtures stay. */
  onBroken(error: FixtureError): Promise<void>;
  onError(error: unknown): void;
}

/** Reads the user's fixtures again whenever a file in their folder changes. Returns how to stop. */
export async function watchFixtures(
  folder: string,
  { load, onFixtures, onBroken, onError }: FixtureWatch,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar');
  const watcher = watch(folder, { ignoreInitial: true });
  const reload = async () => {
    try {
      await onFixtures(await load());
    } catch (error) {
      if (!(error instanceof FixtureError)) {
        throw error;
      }
      await onBroken(error);
    }
  };
  // One after the other, or an older reading could take the place of a newer one.
  let reloads = Promise.resolve();
  let cancel = () => {};
  watcher.on('all', () => {
    cancel();
    cancel = afterMilliseconds(SETTLED_MS, () => {
      reloads = reloads.then(reload).catch(onError);
    });
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return async () => {
    await watcher.close();
    cancel();
    await reloads;
  };
}
