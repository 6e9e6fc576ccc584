import { attempt } from './attempt.ts';

/** Listeners for values. The set is created on first use, because most sessions have no listeners. */
export class Listeners<Value> {
  #listeners: Set<(value: Value) => void> | undefined;

  /** Returns a function that removes the listener. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    return () => listeners.delete(listener);
  }

  notify(value: Value, onError: (error: unknown) => void): void {
    for (const listener of this.#listeners ?? []) {
      attempt(() => listener(value), onError);
    }
  }
}
