/** Reports what work throws, so that the work after it is done all the same. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
