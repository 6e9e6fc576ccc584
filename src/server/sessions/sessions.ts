import { Refusal } from '../../base/refusal.ts';
import type { SessionState } from '../../base/schema/generated/records.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import type { Settings } from '../config/settings.ts';
import { behaviourMember, STANDARD_BEHAVIOUR } from './behaviour-name.ts';
import { StaleGeneration } from './generation.ts';
import { Session } from './session.ts';
import type { SessionParts } from './session-parts.ts';

type SessionSettings = Pick<Settings, 'seed' | 'scenario' | 'now'> & Partial<Pick<Settings, 'ids' | 'behaviour'>>;

/** Defaults of new sessions, and their maximum number. */
export type SessionDefaults = SessionSettings & { maxSessions: number };

/** The session of calls that do not name one. */
export const DEFAULT_SESSION = 'default';

const MAX_LISTED_NAMES = 20;
const SESSION_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The sessions of this process. A session is created on first use, or by a control call. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #parts: SessionParts;
  readonly #defaults: SessionDefaults;
  #isStopped = false;

  constructor(parts: SessionParts, defaults: SessionDefaults) {
    this.#parts = parts;
    this.#defaults = defaults;
  }

  async load(): Promise<void> {
    for (const { name, state } of await this.#parts.store.sessions()) {
      this.#sessions.set(name, new Session(name, state, this.#parts));
    }
  }

  /** Continues a session that the store has loaded. */
  async adopt(name: string, state: SessionState): Promise<void> {
    this.evict(name);
    const session = new Session(name, state, this.#parts);
    this.#sessions.set(name, session);
    await session.resume();
  }

  /** Ends the session in this process. Its data remains in the store, and another process may continue it. */
  evict(name: string): void {
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    session?.end('evicted');
  }

  /** Continues due jobs, once the addresses are known at the start, and whenever changes can be stored again after a failure. */
  async resume(): Promise<void> {
    await Promise.all(this.list().map((session) => session.resume()));
  }

  /** Creates the session if it does not exist. Throws after `stop`, and for an invalid name, too many sessions, or a session of another process. */
  open(name: string): Session {
    return this.#sessions.get(name) ?? this.#add(name, {});
  }

  find(name: string): Session | undefined {
    return this.#sessions.get(name);
  }

  /** Like `find`, for a call: throws if another process may have the session, or if it cannot be read. */
  findOwned(name: string): Session | undefined {
    const session = this.#sessions.get(name);
    if (!session && isSessionName(name)) {
      this.#parts.store.assertOwned(name);
    }
    return session;
  }

  /** Throws for an invalid or unknown name, and for a session of another process. */
  async getExisting(name: string): Promise<Session> {
    const session = this.#sessions.get(name);
    if (session) {
      return session;
    }
    checkName(name);
    this.#parts.store.assertOwned(name);
    const names = [...new Set([DEFAULT_SESSION, ...(await this.all()).map((each) => each.name)])];
    const more = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : '';
    const listed = `${names.slice(0, MAX_LISTED_NAMES).join(', ')}${more}`;
    throw new Refusal(
      'unknown-record',
      `there is no session "${name}"${didYouMean(name, names)}; there are: ${listed}`,
    );
  }

  /** Creates a session and makes it durable. Throws like `open`, and `conflict` if the name is taken. */
  create(name: string, settings: Partial<SessionSettings>): Promise<Session> {
    return this.#create(name, settings, (session) => session.commitState());
  }

  /** Creates a session with a state, in one commit, so that nothing of a refused state remains. */
  createWithState(name: string, ...continuation: Parameters<Session['continueFrom']>): Promise<Session> {
    return this.#create(name, {}, (session) => session.continueFrom(...continuation));
  }

  async #create(
    name: string,
    settings: Partial<SessionSettings>,
    persist: (session: Session) => Promise<void>,
  ): Promise<Session> {
    checkName(name);
    const location = await this.#parts.store.claim(name);
    if (!location.isHere && (await this.all()).every((each) => each.name !== name)) {
      // Another process has claimed the name for a call, although it has no such session, and will release it in a moment.
      throw new StaleGeneration(name, 'evicted');
    }
    if (location.isHere && location.state && !this.#sessions.has(name)) {
      // It was unloaded, and the claim has loaded it again.
      await this.adopt(name, location.state);
    }
    if (!location.isHere || location.state || this.#sessions.has(name)) {
      throw new Refusal('conflict', `session ${name} already exists; use it, or delete it first`);
    }
    const session = this.#add(name, settings);
    try {
      await persist(session);
    } catch (error) {
      this.#sessions.delete(name);
      session.end('deleted');
      throw error;
    }
    return session;
  }

  /** Removes a session without data, because the call that created it was refused. */
  discardEmpty(session: Session): void {
    const { name } = session;
    if (name !== DEFAULT_SESSION && this.#sessions.get(name) === session && !this.#parts.store.hasData(name)) {
      this.#sessions.delete(name);
      session.end('deleted');
    }
  }

  /** Aborts work in progress without waiting for it. */
  async delete(name: string): Promise<void> {
    const session = this.#sessions.get(name);
    if (!session) {
      this.#parts.store.assertOwned(name);
      throw new Refusal('unknown-record', `there is no session ${name}`);
    }
    this.#sessions.delete(name);
    const deletion = this.#parts.store.drop(name);
    session.end('deleted', deletion);
    try {
      await deletion;
    } catch (error) {
      if (!this.#isOwned(name)) {
        throw error;
      }
      // The store still has the session, so one that was created with its name during the deletion ends; it has no data.
      this.#sessions.get(name)?.end('deleted');
      const reopenedSession = new Session(name, session.state, this.#parts);
      this.#sessions.set(name, reopenedSession);
      await reopenedSession.resume();
      throw error;
    }
  }

  /** Includes sessions of other processes, and those of this one without durable data. Ordered by name. */
  async all(): Promise<{ name: string; state: SessionState }[]> {
    const all = new Map((await this.#parts.store.sessions()).map(({ name, state }) => [name, state]));
    for (const { name, state, clock } of this.#sessions.values()) {
      // Only the store knows which states are durable.
      if (!all.has(name)) {
        all.set(name, { ...state, clock: clock.state });
      }
    }
    return [...all].map(([name, state]) => ({ name, state })).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The sessions of this process, ordered by name. */
  list(): Session[] {
    return [...this.#sessions.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Starts no more jobs and creates no more sessions; calls in progress can finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.list().map((session) => session.stop()));
  }

  /** Begins all histories again, for example because the fixtures have changed. */
  restartHistories(because: string): void {
    for (const session of this.list()) {
      session.beginHistory(because);
    }
  }

  /** Deletes the sessions without calls for N real milliseconds, except `default` and those whose events somebody follows. */
  async expire(milliseconds: number): Promise<void> {
    for (const session of this.list()) {
      const { name, unusedMs, events } = session;
      const isUnused = unusedMs > milliseconds && name !== DEFAULT_SESSION && !events.hasListeners;
      // The session may have been used or deleted while others were deleted.
      if (isUnused && this.#sessions.get(name) === session) {
        await this.delete(name);
      }
    }
  }

  #isOwned(name: string): boolean {
    try {
      this.#parts.store.assertOwned(name);
      return true;
    } catch {
      return false;
    }
  }

  #add(name: string, settings: Partial<SessionSettings>): Session {
    checkName(name);
    if (this.#isStopped) {
      throw new StaleGeneration(name, 'stopped');
    }
    this.#parts.store.assertOwned(name);
    if (this.#parts.store.hasData(name)) {
      // It is being loaded or handed over: a new session would overwrite its records.
      throw new StaleGeneration(name, 'evicted');
    }
    if (this.#sessions.size >= this.#defaults.maxSessions) {
      throw new Refusal(
        'too-many-sessions',
        `there are ${this.#sessions.size} sessions, the maximum (--max-sessions); delete some first`,
      );
    }
    const session = new Session(name, this.#stateOf(settings), this.#parts);
    session.history.begin(session.state);
    this.#sessions.set(name, session);
    return session;
  }

  #stateOf(settings: Partial<SessionSettings>): SessionState {
    const { seed, ids = 'repeat', scenario, behaviour = STANDARD_BEHAVIOUR, now } = { ...this.#defaults, ...settings };
    const clock = now === undefined ? ({ mode: 'real', offset: 0 } as const) : ({ mode: 'frozen', now } as const);
    const start = { scenario, ...behaviourMember(behaviour), clock };
    return { seed, ids, ...start, generation: 0, rngPosition: 0, counters: {}, start };
  }
}

export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name);
}

function checkName(name: string): void {
  if (!isSessionName(name)) {
    const rule = 'a letter or digit, then letters, digits, dots, dashes and underscores, 64 characters at most';
    throw new Refusal('invalid-field', `${JSON.stringify(name.slice(0, 80))} is not a session name: ${rule}`);
  }
}
