/** A session's history or request log. */
interface Tenant {
  /** Frees that many bytes of its oldest content, or all that it has. */
  shrink(bytes: number): void;
}

/** Memory that all sessions share. When it is full, the session that was idle longest makes room. */
export class SharedMemory {
  readonly limit: number;
  #used = 0;
  /** What each has, the one that was idle longest first. */
  readonly #shares = new Map<Tenant, { bytes: number }>();
  /** The last one, which often comes again: that costs no operation of the map. */
  #latest: Tenant | undefined;
  #latestShare = { bytes: 0 };

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  take(tenant: Tenant, bytes: number): void {
    if (tenant !== this.#latest) {
      const share = this.#shares.get(tenant) ?? { bytes: 0 };
      this.#shares.delete(tenant);
      this.#shares.set(tenant, share);
      this.#latest = tenant;
      this.#latestShare = share;
    }
    this.#latestShare.bytes += bytes;
    this.#used += bytes;
    if (this.#used > this.limit) {
      this.#makeRoom();
    }
  }

  #makeRoom(): void {
    for (const first of this.#shares.keys()) {
      first.shrink(this.#used - this.limit);
      if (this.#used <= this.limit) {
        return;
      }
    }
  }

  /** Default: all that the tenant has. */
  free(tenant: Tenant, bytes = Number.POSITIVE_INFINITY): void {
    const share = this.#shares.get(tenant);
    if (share) {
      const freed = Math.min(share.bytes, bytes);
      share.bytes -= freed;
      this.#used -= freed;
      if (share.bytes === 0) {
        this.#forget(tenant);
      }
    }
  }

  /** Otherwise it would be kept in memory after its session was deleted. */
  #forget(tenant: Tenant): void {
    this.#shares.delete(tenant);
    if (tenant === this.#latest) {
      this.#latest = undefined;
    }
  }
}
