/** Who listens for something. Nothing is made, or looked at, while nobody does. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Calls back with each value. Returns how to stop listening. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(value: Value): void {
    for (const listener of this.#listeners) {
      listener(value);
    }
  }
}
