import { messageOf } from '../../base/errors.ts';
import { Refusal } from '../../base/refusal.ts';
import { delay, endOfTurn, every, steadyNow } from '../../base/timers.ts';
import { StaleGeneration } from '../../server/sessions/generation.ts';
import type { Session } from '../../server/sessions/session.ts';
import { DEFAULT_SESSION, type Sessions } from '../../server/sessions/sessions.ts';
import type { Place } from '../../server/store/store.ts';
import type { Leaving, SharedStore } from '../store/shared-store.ts';

/** Every so many milliseconds it is looked for sessions that nobody attends to, and for idle ones here. */
const LOOK_MS = 1000;
/** A session in which something is due sooner is not worth putting to sleep. */
const SOON_MS = 60_000;
/** For so long the address of a session's node counts without another look. */
const ADDRESS_MS = 400;
/** A node that stops goes on sending calls on until none came for so long, since those who know its address may still use it; */
const QUIET_MS = 500;
/** but not longer than this. */
const MOST_QUIET_MS = 5000;
/** Addresses that are remembered at most. */
const MOST_ADDRESSES = 10_000;
/** How long calls that are under way may take when their session is let go of, in milliseconds, and how often it is looked. */
const CALLS_MS = 1000;
const LOOK_FOR_CALLS_MS = 20;

export interface ClusterOptions {
  /** Real milliseconds without a call after which a session is put to sleep. */
  idleMilliseconds: number;
  /** Real milliseconds without a call after which a session is dropped; undefined for never. */
  lifetimeMilliseconds: number | undefined;
  onWarning(message: string): void;
  /** Called with the name of each session that was dropped for its age. */
  onExpired(session: string): void;
  /** Called again and again with the addresses of the other nodes that are alive. */
  onOthers(addresses: readonly string[]): void;
}

/** This process as one of several that share a store: it brings sessions here when they are called or due, and lets go of idle ones. */
export class ClusterNode {
  readonly #store: SharedStore;
  readonly #sessions: Sessions;
  readonly #options: ClusterOptions;
  /** How many calls are under way, by session. */
  readonly #calls = new Map<string, number>();
  readonly #addresses = new Map<string, { address: string; until: number }>();
  /** Sessions that are being let go of: calls wait until that is over. */
  readonly #leaving = new Map<string, Promise<void>>();
  #look: Promise<void> | undefined;
  #stopLooking = () => {};
  #isStopping = false;
  #lastCallAt = Number.NEGATIVE_INFINITY;

  constructor(store: SharedStore, sessions: Sessions, options: ClusterOptions) {
    this.#store = store;
    this.#sessions = sessions;
    this.#options = options;
  }

  /** Makes the node known under an address, and begins to attend to what is due. */
  async start(address: string): Promise<void> {
    await this.#store.join(address);
    this.#stopLooking = every(LOOK_MS, () => {
      // Apart from the rest, which may wait long for a session.
      this.#store.others().then(this.#options.onOthers, this.#onError);
      this.#look ??= this.#attend()
        .catch(this.#onError)
        .finally(() => {
          this.#look = undefined;
        });
    });
  }

  /** Whether the session is here, and calls can be answered at once. */
  has(session: string): boolean {
    return (
      this.#store.isHeld(session) && !this.#leaving.has(session) && !this.#isStopping && !this.#catchingUp(session)
    );
  }

  /** Whether it takes no more sessions, and its callers had better go elsewhere. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Brings the session here, unless another node has it. Throws `moved` or `too-many-sessions`. */
  async place(session: string): Promise<Place> {
    this.#lastCallAt = steadyNow();
    await this.#catchingUp(session);
    await this.#leaving.get(session);
    if (this.#isStopping) {
      return this.#elsewhere(session);
    }
    const known = this.#addresses.get(session);
    if (known && known.until > steadyNow()) {
      return { isHere: false, address: known.address };
    }
    const place = await this.#bring(session);
    if (!place.isHere) {
      this.#remember(session, place.address);
    }
    return place;
  }

  /**
   * While the session's clock stands still, a call finds what was due done: with a file it is by the time that the next call comes,
   * and a commit that is some milliseconds on its way is not to be seen in answers.
   */
  #catchingUp(session: string): Promise<void> | undefined {
    const { clock, scheduler } = this.#sessions.find(session) ?? {};
    return clock?.isFrozen ? scheduler?.catchingUp : undefined;
  }

  /** The node that was thought to have the session does not answer. */
  forget(session: string): void {
    this.#addresses.delete(session);
  }

  /** A call of the session begins here; returns what to do when it is over. */
  begin(session: string): () => void {
    this.#lastCallAt = steadyNow();
    this.#calls.set(session, (this.#calls.get(session) ?? 0) + 1);
    return () => {
      const left = (this.#calls.get(session) ?? 1) - 1;
      if (left === 0) {
        this.#calls.delete(session);
      } else {
        this.#calls.set(session, left);
      }
    };
  }

  /** Hands all sessions over: calls that are under way end, and what comes is sent on, or told to come again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopLooking();
    await this.#look;
    try {
      await this.#letGo(this.#store.held());
      await this.#becomeQuiet();
    } catch (error) {
      // All else is to be closed nevertheless.
      const reason = messageOf(error);
      this.#options.onWarning(
        `this node could not hand its sessions over (${reason}); others take them once its lease has run out`,
      );
    }
  }

  async #becomeQuiet(): Promise<void> {
    const until = steadyNow() + MOST_QUIET_MS;
    const isQuiet = () => steadyNow() - this.#lastCallAt > QUIET_MS || steadyNow() > until;
    if (!isQuiet() && (await this.#store.others()).length > 0) {
      do {
        await delay(LOOK_FOR_CALLS_MS);
        // A process that stood still has calls to read that came meanwhile, and finds out how late it is first.
        await endOfTurn();
      } while (!isQuiet());
    }
  }

  async #elsewhere(session: string): Promise<Place> {
    const address = (await this.#store.addressOf(session)) ?? (await this.#store.others())[0];
    if (address === undefined) {
      throw new StaleGeneration(session, 'stopped');
    }
    return { isHere: false, address };
  }

  async #bring(session: string): Promise<Place> {
    const place = await this.#store.claim(session);
    if (place.isHere && place.state && !this.#sessions.find(session)) {
      await this.#sessions.adopt(session, place.state);
    }
    return place;
  }

  async #attend(): Promise<void> {
    for (const session of await this.#store.unattended()) {
      await this.#bring(session).catch(this.#onError);
    }
    const { idleMilliseconds, lifetimeMilliseconds } = this.#options;
    await this.#letGo(this.#store.held().filter((name) => this.#isIdle(name, idleMilliseconds)));
    if (lifetimeMilliseconds !== undefined) {
      const expired = await this.#store.expire(lifetimeMilliseconds, DEFAULT_SESSION);
      expired.forEach(this.#options.onExpired);
    }
    this.#store.compact();
  }

  /** That the database does not answer, or another node is faster, is nothing new: it is looked again in a second. */
  readonly #onError = (error: unknown): void => {
    if (error instanceof Refusal || this.#store.failure !== undefined) {
      return;
    }
    const reason = messageOf(error);
    this.#options.onWarning(`this node could not look for abandoned sessions (${reason}) and tries again`);
  };

  /** One that was only asked for, and never made, is idle at once. */
  #isIdle(name: string, idleMilliseconds: number): boolean {
    const session = this.#sessions.find(name);
    const dueIn = session && dueInOf(session);
    return (
      !this.#calls.has(name) &&
      !this.#leaving.has(name) &&
      (session === undefined || (session.unusedFor > idleMilliseconds && session.scheduler.load.running === 0)) &&
      (dueIn === undefined || dueIn > SOON_MS)
    );
  }

  async #letGo(names: readonly string[]): Promise<void> {
    if (names.length === 0) {
      return;
    }
    const gone = this.#release(names);
    for (const name of names) {
      this.#leaving.set(name, gone);
    }
    try {
      await gone;
    } finally {
      for (const name of names) {
        this.#leaving.delete(name);
      }
    }
  }

  async #release(names: readonly string[]): Promise<void> {
    for (const name of names) {
      // Those who follow it come again, to another node.
      this.#sessions.find(name)?.events.end();
    }
    const isCalled = () => names.some((name) => this.#calls.has(name));
    for (let waited = 0; isCalled() && waited < CALLS_MS; waited += LOOK_FOR_CALLS_MS) {
      await delay(LOOK_FOR_CALLS_MS);
    }
    const leaving = await Promise.all(
      names.map(async (name): Promise<[string, Leaving]> => {
        const session = this.#sessions.find(name);
        await session?.stop();
        const dueIn = session && (await this.#dueInKept(session));
        const facts = { dueIn, unusedFor: session?.unusedFor ?? 0 };
        this.#sessions.evict(name);
        return [name, facts];
      }),
    );
    await this.#store.release(new Map(leaving));
  }

  /** By the records: the scheduler of a session that has stopped knows nothing any more. */
  async #dueInKept({ name, clock, scheduler }: Session): Promise<number | undefined> {
    let first = Number.POSITIVE_INFINITY;
    for (const collection of scheduler.collections) {
      for (const { dueAt } of await this.#store.due(name, collection)) {
        first = Math.min(first, dueAt);
      }
    }
    return clock.isFrozen || first === Number.POSITIVE_INFINITY ? undefined : Math.max(0, first - clock.now());
  }

  #remember(session: string, address: string): void {
    if (this.#addresses.size >= MOST_ADDRESSES) {
      this.#addresses.clear();
    }
    this.#addresses.set(session, { address, until: steadyNow() + ADDRESS_MS });
  }
}

/** Real milliseconds until something is due in the session; undefined where nothing is, or its clock stands still. */
function dueInOf({ clock, scheduler }: Session): number | undefined {
  const { nextDueAt } = scheduler;
  return nextDueAt === undefined || clock.isFrozen ? undefined : Math.max(0, nextDueAt - clock.now());
}
