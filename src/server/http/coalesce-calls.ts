/** Returns a function that runs `work` without overlap: calls during a run lead to one more run after it. */
export function coalesceCalls(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRequested = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isRequested = true;
    if (!isRunning) {
      run().catch(onError);
    }
  };
}
