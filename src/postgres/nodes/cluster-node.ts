import { messageOf } from '../../base/errors.ts';
import { Refusal } from '../../base/refusal.ts';
import { delay, endOfTurn, runEvery, steadyNow } from '../../base/timers.ts';
import { StaleGeneration } from '../../server/sessions/generation.ts';
import type { Session } from '../../server/sessions/session.ts';
import { DEFAULT_SESSION, type Sessions } from '../../server/sessions/sessions.ts';
import type { SessionLocation } from '../../server/store/store.ts';
import type { IdleFacts, SharedStore } from '../store/shared-store.ts';

/** Milliseconds between two searches for sessions that can be claimed, and for idle ones that can be released. */
const SEARCH_INTERVAL_MS = 1000;
/** A session is not released if something in it is due sooner. */
const MIN_RELEASE_MS = 60_000;
/** How long the address of a session's node is cached. */
const ADDRESS_CACHE_MS = 400;
/** A stopping node forwards calls until none has arrived for this long, because clients may still use its address. */
const QUIET_MS = 500;
/** Maximum of that wait, because calls may keep arriving. */
const MAX_QUIET_MS = 5000;
const MAX_CACHED_ADDRESSES = 10_000;
/** How long active calls may take when their session is released, and how often a node checks whether they have ended. */
const MAX_DRAIN_MS = 1000;
const DRAIN_CHECK_MS = 20;

export interface ClusterOptions {
  /** Real milliseconds without a call after which a session is released. */
  idleMs: number;
  /** Real milliseconds without a call after which a session is deleted; undefined for never. */
  lifetimeMs: number | undefined;
  onWarning(message: string): void;
  /** Called with the name of each session that was deleted because it was not used. */
  onExpired(session: string): void;
  /** Called periodically with the addresses of the other live nodes. */
  onOtherNodes(addresses: readonly string[]): void;
}

/** This process as one of several that share a store: it claims sessions that are called or due, and releases idle ones. */
export class ClusterNode {
  readonly #store: SharedStore;
  readonly #sessions: Sessions;
  readonly #options: ClusterOptions;
  /** Active calls by session. */
  readonly #calls = new Map<string, number>();
  readonly #addresses = new Map<string, { address: string; until: number }>();
  /** Sessions that are being released; calls wait until that has ended. */
  readonly #drains = new Map<string, Promise<void>>();
  #maintenance: Promise<void> | undefined;
  #stopMaintenance = () => {};
  #isStopping = false;
  #lastCallAt = Number.NEGATIVE_INFINITY;

  constructor(store: SharedStore, sessions: Sessions, options: ClusterOptions) {
    this.#store = store;
    this.#sessions = sessions;
    this.#options = options;
  }

  /** Registers the node under an address, and starts its periodic work. */
  async start(address: string): Promise<void> {
    await this.#store.join(address);
    this.#stopMaintenance = runEvery(SEARCH_INTERVAL_MS, () => {
      // Not awaited, because calls to dead nodes must be aborted even while the previous maintenance still waits for a session.
      this.#store.otherAddresses().then(this.#options.onOtherNodes, this.#onError);
      this.#maintenance ??= this.#maintain()
        .catch(this.#onError)
        .finally(() => {
          this.#maintenance = undefined;
        });
    });
  }

  /** Whether this node has the session, and can answer its calls at once. */
  canServe(session: string): boolean {
    return (
      this.#store.isOwned(session) && !this.#drains.has(session) && !this.#isStopping && !this.#catchUpRunOf(session)
    );
  }

  /** Whether this node accepts no more sessions, so that callers should use another one. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Claims the session for this node, unless another one has it or this one is stopping. */
  async claim(session: string): Promise<SessionLocation> {
    this.#lastCallAt = steadyNow();
    await this.#catchUpRunOf(session);
    await this.#drains.get(session);
    if (this.#isStopping) {
      return this.#otherLocation(session);
    }
    const cachedAddress = this.#addresses.get(session);
    if (cachedAddress && cachedAddress.until > steadyNow()) {
      return { isHere: false, address: cachedAddress.address };
    }
    const location = await this.#claim(session);
    if (!location.isHere) {
      this.#cacheAddress(session, location.address);
    }
    return location;
  }

  /**
   * The run of the session's due jobs, if it is unfinished and the clock is frozen; otherwise undefined. A call waits for it, because its
   * answer could otherwise depend on how long the commits of these jobs take, which is noticeable with a database.
   */
  #catchUpRunOf(session: string): Promise<void> | undefined {
    const { clock, scheduler } = this.#sessions.find(session) ?? {};
    return clock?.isFrozen ? scheduler?.catchUpRun : undefined;
  }

  /** Removes a cached address, because that node does not answer, or may no longer have the session. */
  forgetAddress(session: string): void {
    this.#addresses.delete(session);
  }

  /** Counts a call of the session; returns a function to call when it has ended. */
  beginCall(session: string): () => void {
    this.#lastCallAt = steadyNow();
    this.#calls.set(session, (this.#calls.get(session) ?? 0) + 1);
    return () => {
      const remainingCalls = (this.#calls.get(session) ?? 1) - 1;
      if (remainingCalls === 0) {
        this.#calls.delete(session);
      } else {
        this.#calls.set(session, remainingCalls);
      }
    };
  }

  /** Hands all sessions over. New calls are forwarded or asked to retry. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopMaintenance();
    await this.#maintenance;
    try {
      await this.#release(this.#store.ownedSessions());
      await this.#waitForQuiet();
    } catch (error) {
      // Not thrown, because the rest must still be closed.
      const reason = messageOf(error);
      this.#options.onWarning(
        `this node could not hand its sessions over (${reason}); others take them once its lease has run out`,
      );
    }
  }

  async #waitForQuiet(): Promise<void> {
    const deadline = steadyNow() + MAX_QUIET_MS;
    const isQuiet = () => steadyNow() - this.#lastCallAt > QUIET_MS || steadyNow() > deadline;
    if (!isQuiet() && (await this.#store.otherAddresses()).length > 0) {
      do {
        await delay(DRAIN_CHECK_MS);
        // A process that was suspended runs its timers first, and only then reads the calls that arrived in between.
        await endOfTurn();
      } while (!isQuiet());
    }
  }

  async #otherLocation(session: string): Promise<SessionLocation> {
    const address = (await this.#store.addressOf(session)) ?? (await this.#store.otherAddresses())[0];
    if (address === undefined) {
      throw new StaleGeneration(session, 'stopped');
    }
    return { isHere: false, address };
  }

  async #claim(session: string): Promise<SessionLocation> {
    const location = await this.#store.claim(session);
    if (location.isHere && location.state && !this.#sessions.find(session)) {
      await this.#sessions.adopt(session, location.state);
    }
    return location;
  }

  async #maintain(): Promise<void> {
    for (const session of await this.#store.sessionsToClaim()) {
      await this.#claim(session).catch(this.#onError);
    }
    const { idleMs, lifetimeMs } = this.#options;
    await this.#release(this.#store.ownedSessions().filter((name) => this.#isIdle(name, idleMs)));
    if (lifetimeMs !== undefined) {
      const expiredNames = await this.#store.expire(lifetimeMs, DEFAULT_SESSION);
      expiredNames.forEach(this.#options.onExpired);
    }
    this.#store.compact();
  }

  /** An unreachable database or a faster node needs no warning: the next search follows in a second. */
  readonly #onError = (error: unknown): void => {
    if (error instanceof Refusal || this.#store.failure !== undefined) {
      return;
    }
    const reason = messageOf(error);
    this.#options.onWarning(`this node could not claim or release sessions (${reason}) and tries again`);
  };

  /** A session that was requested but never created is idle at once. */
  #isIdle(name: string, idleMs: number): boolean {
    const session = this.#sessions.find(name);
    const dueInMs = session && dueInMsOf(session);
    return (
      !this.#calls.has(name) &&
      !this.#drains.has(name) &&
      (session === undefined || (session.unusedMs > idleMs && session.scheduler.load.running === 0)) &&
      (dueInMs === undefined || dueInMs > MIN_RELEASE_MS)
    );
  }

  async #release(names: readonly string[]): Promise<void> {
    if (names.length === 0) {
      return;
    }
    const releases = this.#stopAndRelease(names);
    for (const name of names) {
      this.#drains.set(name, releases);
    }
    try {
      await releases;
    } finally {
      for (const name of names) {
        this.#drains.delete(name);
      }
    }
  }

  async #stopAndRelease(names: readonly string[]): Promise<void> {
    for (const name of names) {
      // Clients that follow the events reconnect, to another node.
      this.#sessions.find(name)?.events.end();
    }
    const isCalled = () => names.some((name) => this.#calls.has(name));
    for (let waitedMs = 0; isCalled() && waitedMs < MAX_DRAIN_MS; waitedMs += DRAIN_CHECK_MS) {
      await delay(DRAIN_CHECK_MS);
    }
    const idleFacts = await Promise.all(
      names.map(async (name): Promise<[string, IdleFacts]> => {
        const session = this.#sessions.find(name);
        await session?.stop();
        const dueInMs = session && (await this.#dueInMsFromRecords(session));
        const facts = { dueInMs, unusedMs: session?.unusedMs ?? 0 };
        this.#sessions.evict(name);
        return [name, facts];
      }),
    );
    await this.#store.release(new Map(idleFacts));
  }

  /** Reads the records, because the scheduler of a stopped session has no jobs any more. */
  async #dueInMsFromRecords({ name, clock, scheduler }: Session): Promise<number | undefined> {
    let earliest = Number.POSITIVE_INFINITY;
    for (const collection of scheduler.collections) {
      for (const { dueAt } of await this.#store.due(name, collection)) {
        earliest = Math.min(earliest, dueAt);
      }
    }
    return clock.isFrozen || earliest === Number.POSITIVE_INFINITY ? undefined : Math.max(0, earliest - clock.now());
  }

  #cacheAddress(session: string, address: string): void {
    if (this.#addresses.size >= MAX_CACHED_ADDRESSES) {
      this.#addresses.clear();
    }
    this.#addresses.set(session, { address, until: steadyNow() + ADDRESS_CACHE_MS });
  }
}

/** Real milliseconds until something is due in the session; undefined if nothing is, or its clock is frozen. */
function dueInMsOf({ clock, scheduler }: Session): number | undefined {
  const { nextDueAt } = scheduler;
  return nextDueAt === undefined || clock.isFrozen ? undefined : Math.max(0, nextDueAt - clock.now());
}
