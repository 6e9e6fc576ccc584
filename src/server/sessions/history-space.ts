/** Whose history takes the memory. */
interface Tenant {
  /** Gives back that many bytes of its oldest steps, or all that it has. */
  shrink(bytes: number): void;
}

/** Memory that the histories of all sessions share: when it is full, the history makes room to which nothing was added for longest. */
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
        first.shrink(this.#used - this.limit);
      }
    }
  }

  /** Gives back some of what a history has taken; left out, all. */
  free(tenant: Tenant, bytes = Number.POSITIVE_INFINITY): void {
    const taken = this.#taken.get(tenant) ?? 0;
    const freed = Math.min(taken, bytes);
    this.#used -= freed;
    if (freed === taken) {
      this.#taken.delete(tenant);
    } else {
      this.#taken.set(tenant, taken - freed);
    }
  }
}
