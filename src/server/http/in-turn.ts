/** Calls of a function that never overlap; those that come while one runs are made up for by a single one. */
export function coalesceCalls(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isWanted = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isWanted = true;
    if (!isRunning) {
      run().catch(onError);
    }
  };
}
