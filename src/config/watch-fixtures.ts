import { FixtureError, type Fixtures, loadFixtures } from './fixtures.ts';

/** Milliseconds that a file must have been left alone: editors write in several steps. */
const SETTLED = 50;

/**
 * Reads the user's fixtures again whenever a file in their folder changes. A broken one is told of, and the last good
 * ones stay. Returns how to stop.
 */
export async function watchFixtures(
  folder: string,
  onFixtures: (fixtures: Fixtures) => void,
  onBroken: (error: FixtureError) => void,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar');
  const watcher = watch(folder, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED, pollInterval: SETTLED / 2 },
  });
  const reload = async () => {
    try {
      onFixtures(await loadFixtures(folder));
    } catch (error) {
      onBroken(error instanceof FixtureError ? error : new FixtureError(folder, String(error)));
    }
  };
  watcher.on('all', reload);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return () => watcher.close();
}
