import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { delay, every, steadyNow } from '../../../base/timers.ts';
import { StoreError } from '../store.ts';
import { type Holder, readHolder, textOfHolder } from './lock-holder.ts';

/** The lease is renewed every so many milliseconds, */
const RENEWAL = 1000;
/** and counts without another look for so many: far fewer than it takes others to think its holder gone. */
const GOOD_FOR = 2500;
/** Longer than it takes another to replace a lock that it has just looked at. */
const SETTLING = 500;

/** A lock that is held, and that is renewed while it is, so that those who cannot see this process know that it is there. */
export class Lease {
  readonly #file: string;
  readonly #path: string;
  readonly #own: Holder;
  readonly #stop: () => void;
  readonly #descriptor: number;
  #beat: number;
  #confirming: Promise<void> | undefined;
  #isReleased = false;
  #renewedAt = steadyNow();
  #loss: StoreError | undefined;
  #isTaken = false;

  constructor(file: string, path: string, own: Holder) {
    this.#file = file;
    this.#path = path;
    this.#own = own;
    this.#beat = own.beat;
    this.#descriptor = openSync(path, 'r+');
    this.#stop = every(RENEWAL, () => {
      // A process that stood still for long must not take up the lease again before it has looked whose it is now.
      if (this.isFresh) {
        this.#renew();
      } else {
        this.confirm().catch(() => undefined);
      }
    });
  }

  /** Whether it is certain, without a look, that nobody else has taken the file. */
  get isFresh(): boolean {
    return this.#loss === undefined && steadyNow() - this.#renewedAt < GOOD_FOR;
  }

  /** Throws StoreError unless the file is certainly ours at this moment. */
  expectFresh(): void {
    if (!this.isFresh) {
      throw this.#loss ?? this.#unsure();
    }
  }

  /** Looks at the lock at once. Throws StoreError unless it is there and ours, as it is not in a folder that was made anew. */
  expectHeld(): void {
    this.expectFresh();
    if (!this.#beatOnce()) {
      throw this.#loss ?? this.#unsure();
    }
  }

  /** Why the file is not ours at present; undefined while it is. */
  get loss(): string | undefined {
    return this.#loss?.message;
  }

  /** Looks again after a time in which it was not renewed. Throws StoreError where somebody else has the file. */
  async confirm(): Promise<void> {
    if (!this.isFresh) {
      this.#confirming ??= this.#takeUpAgain();
      await this.#confirming;
      this.expectFresh();
    }
  }

  async #takeUpAgain(): Promise<void> {
    this.#beatOnce();
    // Who thought us gone, and looked just before, has replaced the lock by then.
    await delay(SETTLING);
    this.#renew();
    this.#confirming = undefined;
  }

  release(): void {
    this.#stop();
    this.#isReleased = true;
    closeSync(this.#descriptor);
    if (readHolder(this.#path)?.token === this.#own.token) {
      rmSync(this.#path, { force: true });
    }
  }

  #renew(): void {
    if (this.#beatOnce()) {
      this.#renewedAt = steadyNow();
    }
  }

  /** Shows those who look that we are there. False where that failed, or the lock is not ours any more. */
  #beatOnce(): boolean {
    if (this.#isReleased || this.#isTaken) {
      return false;
    }
    try {
      const now = readHolder(this.#path);
      if (now?.token !== this.#own.token) {
        this.#loss = this.#lost(now);
        this.#isTaken = now !== undefined;
        return false;
      }
      // A folder that was moved away and back has brought it back.
      this.#loss = undefined;
      this.#beat += 1;
      writeSync(this.#descriptor, textOfHolder({ ...this.#own, beat: this.#beat }), 0);
      return true;
    } catch {
      // Whoever writes next finds that it is no longer fresh, and tries again.
      return false;
    }
  }

  #lost(now: Holder | undefined): StoreError {
    const what = now
      ? `process ${now.pid} of another container or machine has taken it. All changes confirmed before are safe.`
      : `its lock ${this.#path} is gone. Put the folder back as it was, or start the sandbox again.`;
    return new StoreError(`Nothing more is written to ${this.#file}: ${what}`, this.#file);
  }

  #unsure(): StoreError {
    return new StoreError(
      `${this.#file}: its lock ${this.#path} cannot be renewed; nothing is written meanwhile`,
      this.#file,
    );
  }
}
