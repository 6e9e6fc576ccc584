/** Changes that are written together, or fail together. */
export interface PendingWrite {
  /** Resolves when they are stored; rejects with the error if they cannot be. */
  readonly durable: Promise<void>;
  /** Resolves `durable`; with an error, rejects it. */
  finish(error?: unknown): void;
}

export function newPendingWrite(): PendingWrite {
  let finish: PendingWrite['finish'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Prevents an unhandled rejection; callers that wait for it get the error.
  durable.catch(() => undefined);
  return { durable, finish };
}
