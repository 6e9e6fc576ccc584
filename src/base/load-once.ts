/** What is loaded when it is first asked for. A load that failed, as where no file could be opened, is tried again by the next. */
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

/** A library of CommonJS, loaded when it is first asked for: in the bundle its members stand under `default`, in Node beside it. */
export function loadLibrary<Library extends object>(load: () => Promise<Library>): () => Promise<Library> {
  return loadOnce(async () => {
    const loaded = await load();
    return 'default' in loaded ? (loaded.default as Library) : loaded;
  });
}
