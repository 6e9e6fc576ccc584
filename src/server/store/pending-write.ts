/** Changes that are written together, or fail together. */
export interface PendingWrite {
  /** Resolves when they are stored; rejects with the error if they cannot be. */
  readonly completion: Promise<void>;
  /** Resolves `completion`; with an error, rejects it. */
  finish(error?: unknown): void;
}

export function newPendingWrite(): PendingWrite {
  let finish: PendingWrite['finish'] = () => undefined;
  const completion = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Prevents an unhandled rejection; callers that wait for it get the error.
  completion.catch(() => undefined);
  return { completion, finish };
}
