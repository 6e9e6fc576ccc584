import { FixtureError, type Fixtures } from './fixtures.ts';

/** Milliseconds that a file must have been left alone: editors write in several steps. */
const SETTLED = 50;

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
  const watcher = watch(folder, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED, pollInterval: SETTLED / 2 },
  });
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
  watcher.on('all', () => {
    reloads = reloads.then(reload).catch(onError);
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return async () => {
    await watcher.close();
    await reloads;
  };
}
