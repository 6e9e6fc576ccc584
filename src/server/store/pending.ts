/** Changes that are written, or fail, together. */
export interface Pending {
  readonly durable: Promise<void>;
  /** Resolves when they are stored; rejects with the reason if they cannot be. */
  finish(loss?: unknown): void;
}

export function newPending(): Pending {
  let finish: Pending['finish'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    finish = (loss) => (loss === undefined ? resolve() : reject(loss));
  });
  // Prevents an unhandled rejection; callers that wait for it get the error.
  durable.catch(() => undefined);
  return { durable, finish };
}
