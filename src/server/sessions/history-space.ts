/** Whose history takes the memory. */
interface Tenant {
  /** Gives back all that it has taken. */
  forget(): void;
}

/** Memory that the histories of all sessions share: when it is full, the one goes to which nothing was added for longest. */
export class HistorySpace {
  /** Bytes; 0 keeps no histories. */
  readonly limit: number;
  #used = 0;
  /** What each has taken, in the order in which they took something last. */
  readonly #taken = new Map<Tenant, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  take(tenant: Tenant, bytes: number): void {
    const taken = (this.#taken.get(tenant) ?? 0) + bytes;
    this.#taken.delete(tenant);
    this.#taken.set(tenant, taken);
    this.#used += bytes;
    for (const first of this.#used > this.limit ? [...this.#taken.keys()] : []) {
      if (this.#used > this.limit) {
        first.forget();
      }
    }
  }

  free(tenant: Tenant): void {
    this.#used -= this.#taken.get(tenant) ?? 0;
    this.#taken.delete(tenant);
  }
}
