/** A session's history or request log. */
interface Tenant {
  /** Frees that many bytes of its oldest content, or all that it has. */
  shrink(bytes: number): void;
}

/** Memory that all sessions share. When it is full, the session that was idle longest makes room. */
export class SharedMemory {
  readonly limit: number;
  #used = 0;
  /** Bytes of each, the one that was idle longest first. */
  readonly #taken = new Map<Tenant, number>();
  #latest: Tenant | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  take(tenant: Tenant, bytes: number): void {
    const taken = (this.#taken.get(tenant) ?? 0) + bytes;
    if (tenant !== this.#latest) {
      this.#taken.delete(tenant);
      this.#latest = tenant;
    }
    this.#taken.set(tenant, taken);
    this.#used += bytes;
    if (this.#used > this.limit) {
      this.#makeRoom();
    }
  }

  #makeRoom(): void {
    for (const first of this.#taken.keys()) {
      first.shrink(this.#used - this.limit);
      if (this.#used <= this.limit) {
        return;
      }
    }
  }

  /** Default: all that the tenant has. */
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
