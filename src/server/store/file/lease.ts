import { closeSync, openSync, writeSync } from 'node:fs';
import { platform } from '../../../base/platform.ts';
import { delay, runEvery, steadyNow } from '../../../base/timers.ts';
import { StoreError } from '../store.ts';
import { formatOwner, type LockOwner, readOwner } from './lock-owner.ts';

const RENEWAL_INTERVAL_MS = 1000;
/** How long a renewal is trusted without reading the lock: half of the time after which others take it over (LEASE_TIMEOUT_MS). */
const VALIDITY_MS = 2500;
/** Longer than another process needs to replace a lock after reading it. */
const TAKEOVER_MS = 500;

/** A lock that this process owns. It is renewed, so that other containers and machines, which cannot see the process, know that it runs. */
export class Lease {
  readonly #file: string;
  readonly #path: string;
  readonly #owner: LockOwner;
  readonly #stop: () => void;
  readonly #descriptor: number;
  #beat: number;
  #confirming: Promise<void> | undefined;
  #isReleased = false;
  #renewedAt = steadyNow();
  #loss: StoreError | undefined;
  #isTaken = false;

  constructor(file: string, path: string, owner: LockOwner) {
    this.#file = file;
    this.#path = path;
    this.#owner = owner;
    this.#beat = owner.beat;
    this.#descriptor = openSync(path, 'r+');
    this.#stop = runEvery(RENEWAL_INTERVAL_MS, () => {
      // After a long pause, another process may be taking the lock; `confirm` waits until that has ended.
      if (this.isFresh) {
        this.#renew();
      } else {
        this.confirm().catch(() => undefined);
      }
    });
  }

  /** Whether the last renewal is recent enough that no other process can have taken the file. */
  get isFresh(): boolean {
    return this.#loss === undefined && steadyNow() - this.#renewedAt < VALIDITY_MS;
  }

  /** Throws StoreError unless the last renewal is recent. Does not read the lock. */
  assertFresh(): void {
    if (!this.isFresh) {
      throw this.#loss ?? this.#notRenewedError();
    }
  }

  /** Like `assertFresh`, but reads the lock. Throws StoreError unless this process still owns it; the folder may have been replaced. */
  assertOwned(): void {
    this.assertFresh();
    if (!this.#tryRenew()) {
      throw this.#loss ?? this.#notRenewedError();
    }
  }

  /** Why this process does not own the file at present; undefined if no loss is known. */
  get loss(): string | undefined {
    return this.#loss?.message;
  }

  /** Renews the lease unless it is fresh. Throws StoreError if it cannot, for instance because another process has taken the file. */
  async confirm(): Promise<void> {
    if (!this.isFresh) {
      this.#confirming ??= this.#renewAfterPause();
      await this.#confirming;
      this.assertFresh();
    }
  }

  async #renewAfterPause(): Promise<void> {
    this.#tryRenew();
    // Another process may have read the lock just before this renewal and found it expired. After this delay, it has replaced the lock.
    await delay(TAKEOVER_MS);
    this.#renew();
    this.#confirming = undefined;
  }

  release(): void {
    this.#stop();
    this.#isReleased = true;
    closeSync(this.#descriptor);
    if (readOwner(this.#path)?.token === this.#owner.token) {
      platform.removeFile(this.#path);
    }
  }

  #renew(): void {
    if (this.#tryRenew()) {
      this.#renewedAt = steadyNow();
    }
  }

  /** Renews the lock. False if that failed, or this process does not own it any more. */
  #tryRenew(): boolean {
    if (this.#isReleased || this.#isTaken) {
      return false;
    }
    try {
      const current = readOwner(this.#path);
      if (current?.token !== this.#owner.token) {
        this.#loss = this.#lossError(current);
        this.#isTaken = current !== undefined;
        return false;
      }
      // The lock reappears if its folder was moved away and back.
      this.#loss = undefined;
      this.#beat += 1;
      writeSync(this.#descriptor, formatOwner({ ...this.#owner, beat: this.#beat }), 0);
      return true;
    } catch {
      // The timer tries again within a second; once the lease is not fresh, each write tries, too.
      return false;
    }
  }

  #lossError(current: LockOwner | undefined): StoreError {
    const reason = current
      ? `process ${current.pid} of another container or machine has taken it. All changes confirmed before are safe.`
      : `its lock ${this.#path} is gone. Put the folder back as it was, or start the sandbox again.`;
    return new StoreError(`Nothing more is written to ${this.#file}: ${reason}`, this.#file);
  }

  #notRenewedError(): StoreError {
    return new StoreError(
      `${this.#file}: its lock ${this.#path} cannot be renewed; nothing is written until it can`,
      this.#file,
    );
  }
}
