/** A session's history or request log. */
interface Tenant {
  /** Frees at least N bytes of its oldest content, or all of it. */
  shrink(bytes: number): void;
}

/** Limited memory that all sessions share. When it is full, the session that has been idle longest frees some. */
export class SharedMemory {
  readonly limitBytes: number;
  #usedBytes = 0;
  /** The bytes of each tenant; the one that has been idle longest is first. */
  readonly #shares = new Map<Tenant, { bytes: number }>();
  /** The tenant that allocated last, and its share. Cached, because it often allocates again, and then the map need not change. */
  #latest: Tenant | undefined;
  #latestShare = { bytes: 0 };

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  allocate(tenant: Tenant, bytes: number): void {
    if (tenant !== this.#latest) {
      const share = this.#shares.get(tenant) ?? { bytes: 0 };
      this.#shares.delete(tenant);
      this.#shares.set(tenant, share);
      this.#latest = tenant;
      this.#latestShare = share;
    }
    this.#latestShare.bytes += bytes;
    this.#usedBytes += bytes;
    if (this.#usedBytes > this.limitBytes) {
      this.#makeRoom();
    }
  }

  #makeRoom(): void {
    for (const tenant of this.#shares.keys()) {
      tenant.shrink(this.#usedBytes - this.limitBytes);
      if (this.#usedBytes <= this.limitBytes) {
        return;
      }
    }
  }

  /** Default: all that the tenant has. */
  free(tenant: Tenant, bytes = Number.POSITIVE_INFINITY): void {
    const share = this.#shares.get(tenant);
    if (share) {
      const freedBytes = Math.min(share.bytes, bytes);
      share.bytes -= freedBytes;
      this.#usedBytes -= freedBytes;
      if (share.bytes === 0) {
        this.#forget(tenant);
      }
    }
  }

  /** Removes a tenant, because it would otherwise stay in memory after its session was deleted. */
  #forget(tenant: Tenant): void {
    this.#shares.delete(tenant);
    if (tenant === this.#latest) {
      this.#latest = undefined;
    }
  }
}
