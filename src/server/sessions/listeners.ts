import { attempt } from './attempt.ts';

/** Who listens for something. Nothing is made, or looked at, while nobody does. */
export class Listeners<Value> {
  #listeners: Set<(value: Value) => void> | undefined;

  /** Calls back with each value. Returns how to stop listening. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    return () => listeners.delete(listener);
  }

  tell(value: Value, onError: (error: unknown) => void): void {
    for (const listener of this.#listeners ?? []) {
      attempt(() => listener(value), onError);
    }
  }
}
