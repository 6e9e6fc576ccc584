/** Loads a module on first use. After a failed load, for instance because no file could be opened, the next use tries again. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** Loads a CommonJS library on first use. Depending on the bundler, its members are below `default`. */
export function loadLibrary<Library extends object>(load: () => Promise<Library>): () => Promise<Library> {
  return loadOnce(async () => {
    const loaded = await load();
    return 'default' in loaded ? (loaded.default as Library) : loaded;
  });
}
