/** Runs work and reports its errors instead of throwing them, so that the caller continues. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
