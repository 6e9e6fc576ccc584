/** Reports errors instead of throwing them, so that the work after it is still done. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
