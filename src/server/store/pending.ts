/** Changes that share one write and one fate. */
export interface Pending {
  readonly durable: Promise<void>;
  /** They are kept; or they are not, and why. */
  settle(loss?: unknown): void;
}

export function newPending(): Pending {
  let settle: Pending['settle'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = (loss) => (loss === undefined ? resolve() : reject(loss));
  });
  // Those who wait for it hear of a failure.
  durable.catch(() => undefined);
  return { durable, settle };
}
