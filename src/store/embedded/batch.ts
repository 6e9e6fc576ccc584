import type { Refusal } from '../../base/refusal.ts';

/** The commits of one turn of the event loop, which share one write and one fate. */
export interface Batch {
  lines: string[];
  /** Undo in memory what the lines did, one each. */
  rollbacks: (() => void)[];
  durable: Promise<void>;
  resolve(): void;
  reject(refusal: Refusal): void;
}

export function openBatch(): Batch {
  const batch: Partial<Batch> = { lines: [], rollbacks: [] };
  batch.durable = new Promise((resolve, reject) => {
    batch.resolve = resolve;
    batch.reject = reject;
  });
  return batch as Batch;
}
