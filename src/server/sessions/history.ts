import type { SessionState } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SessionSnapshot } from '../store/store.ts';
import type { Clock } from './clock.ts';
import {
  type Answer,
  type CallEntry,
  type HistoryEntry,
  type LastCalls,
  type Message,
  NO_CALLS,
  type Origin,
  type RecordedHistory,
  type TurnEntry,
} from './history-entry.ts';
import type { HistorySpace } from './history-space.ts';
import { weigh } from './log-weight.ts';
import type { Pace } from './pace.ts';

/** The installation's secret where a history is played: the same everywhere, since tokens depend on it. */
export const PLAYED_KEY = Buffer.from('a history that is played');

const MADE_ROOM = 'what was before made room in the memory for histories (--history-size)';
/** Transactions of control calls and of pages do not say which call they are of. */
const CHANGE = 'a control call or a page';
/** Bytes that an entry takes beside its content, and a record at the begin, about. */
const OWN_BYTES = 200;
const RECORD_BYTES = 1000;

interface HistoryHost {
  readonly clock: Clock;
  readonly state: SessionState;
  readonly requests: { readonly count: number };
  /** Begins it again with the state that there is, once nothing is under way. */
  beginHistory(because: string): void;
}

/** A call that is being recorded. */
export interface RecordedCall {
  /** Its body, whole. */
  bodyCame(bytes: Buffer): void;
  /** What it was answered; null where nothing was. */
  answered(answer: Answer | null): void;
}

/** Records what a session's state follows from, in memory. Source: ours. */
export class History {
  readonly #host: HistoryHost;
  readonly #space: HistorySpace;
  readonly #pace: Pace | undefined;
  #start: SessionSnapshot | undefined;
  #lastCalls = NO_CALLS;
  #calls: Record<Origin, number>;
  #cutBecause: string | null = null;
  #entries: HistoryEntry[] = [];
  #standIns = new Map<string, string>();
  /** Another object once what was recorded is forgotten: what began before is then not recorded to its end. */
  #life: object = {};
  #underWay = 0;
  /** How many of those are control calls or pages. */
  #changes = 0;
  #isOver = false;

  constructor(host: HistoryHost, space: HistorySpace, pace: Pace | undefined) {
    this.#host = host;
    this.#space = space;
    this.#pace = pace;
    this.#calls = { ...(pace?.lastCalls ?? NO_CALLS) };
  }

  /** Whether it is played: then each step has its turn when it had it, and nothing else has to see to their order. */
  get isPlayed(): boolean {
    return this.#pace?.isOver === false;
  }

  /** Undefined where nothing is recorded at present. */
  get recorded(): RecordedHistory | undefined {
    return (
      this.#start && {
        start: this.#start,
        lastCalls: this.#lastCalls,
        cutBecause: this.#cutBecause,
        entries: this.#entries.slice(),
        standIns: new Map(this.#standIns),
      }
    );
  }

  /** How many calls there were, of each origin. */
  get calls(): LastCalls {
    return { ...this.#calls, merchant: this.#host.requests.count };
  }

  /** Whether it can begin now: nothing is recorded, and nothing is under way of which the beginning would be missing. */
  get canBegin(): boolean {
    return !this.#isOver && !this.#start && this.#space.limit > 0 && this.#underWay === 0 && this.#fits;
  }

  /** Why nothing is recorded. */
  get whyNot(): string {
    if (this.#space.limit === 0) {
      return 'no histories are kept (--history-size 0)';
    }
    return this.#fits
      ? 'its history made room for others, and begins again once nothing of it is under way'
      : 'it has more records than a history can begin with; give histories more memory (--history-size)';
  }

  begin(start: SessionSnapshot, cutBecause: string | null = null): void {
    this.forget();
    this.#cutBecause = cutBecause;
    this.#lastCalls = this.calls;
    if (this.#space.limit > 0 && !this.#isOver) {
      this.#start = start;
      const { state: _, ...lists } = start;
      const records = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
      this.#space.take(this, OWN_BYTES + records * RECORD_BYTES);
    }
  }

  /** The session was reset, or a state was put into it: calls are counted on from these. */
  beginGeneration(start: SessionSnapshot, calls: LastCalls, cutBecause?: string): void {
    this.#calls = { ...calls };
    this.begin(start, cutBecause);
    this.#lastCalls = calls;
  }

  /** Nothing of the session is recorded any more. */
  end(): void {
    this.#isOver = true;
    this.forget();
  }

  /** Forgets what is recorded, for a reason in words, which the next history says. */
  forget(because = MADE_ROOM): void {
    this.#cutBecause = because;
    this.#space.free(this);
    this.#start = undefined;
    this.#life = {};
    this.#entries = [];
    this.#standIns = new Map();
  }

  /** A secret was given out that depends on the installation; `other` is what it is where the history is played. */
  standIn(secret: string, other: string): void {
    if (this.#start && !this.#standIns.has(secret)) {
      this.#standIns.set(secret, other);
      this.#space.take(this, OWN_BYTES);
    }
  }

  /** Ids of calls that are no merchant's; the request log numbers those. */
  nextId(origin: Exclude<Origin, 'merchant'>): string {
    this.#calls[origin] += 1;
    return `${origin}-${this.#calls[origin]}`;
  }

  call(facts: Pick<CallEntry, 'id' | 'origin' | 'method' | 'target' | 'headers'>): RecordedCall {
    const { clock } = this.#host;
    const life = this.#life;
    const entry: CallEntry = {
      kind: 'call',
      ...facts,
      at: clock.now(),
      machineAt: machineNow(),
      clock: clock.isFrozen ? 'frozen' : 'real',
      body: null,
    };
    const changes = facts.origin === 'merchant' ? 0 : 1;
    this.#underWay += 1;
    this.#changes += changes;
    let isAnswered = false;
    this.#add(entry, facts.headers, facts.target);
    this.#pace?.begun(facts.id);
    return {
      bodyCame: (bytes) => {
        if (life === this.#life && this.#start) {
          // A copy: what came may be part of a larger piece of memory.
          entry.body = Buffer.from(bytes);
          this.#space.take(this, bytes.length);
        }
      },
      answered: (answer) => {
        if (isAnswered) {
          return;
        }
        isAnswered = true;
        const record = () => {
          if (life === this.#life) {
            const { id: of } = facts;
            this.#add({ kind: 'answer', of, at: clock.now(), lastEvent: this.lastEvent, answer }, answer);
          }
          this.#changes -= changes;
          this.#pace?.done('answer', facts.id);
          this.#over();
        };
        const turn = this.#pace?.turn('answer', facts.id);
        if (turn) {
          void turn.then(record);
        } else {
          record();
        }
      },
    };
  }

  /** What a step is called; undefined where it is nobody's whose calls are recorded. */
  stepOf(callId: string | undefined, job: string | undefined): string | undefined {
    return callId ?? job ?? (this.#changes > 0 ? CHANGE : undefined);
  }

  /** Resolves when it is the turn of a step; undefined where it is at once, as it is unless a history is played. */
  turn(of: string | undefined): Promise<void> | undefined {
    return of === undefined ? undefined : this.#pace?.turn('turn', of);
  }

  /** A step has its turn at that instant. Returns what is to be called once it is over. */
  takes(of: string | undefined, at: Instant): () => void {
    if (of === undefined) {
      return () => undefined;
    }
    const entry: TurnEntry = { kind: 'turn', of, at, lastEvent: this.lastEvent };
    this.#add(entry);
    return () => {
      entry.lastEvent = this.lastEvent;
      this.#pace?.done('turn', of);
    };
  }

  /** A step that is over in the moment at which it comes. `work` is called then, with that instant, and may begin what takes longer. */
  async moment<Result>(of: string, work: (at: Instant) => Result): Promise<Awaited<Result>> {
    const turn = this.turn(of);
    if (turn) {
      await turn;
    }
    const at = this.#host.clock.now();
    const over = this.takes(of, at);
    const result = work(at);
    over();
    return await result;
  }

  /** Records what a job sends, and what comes back. */
  async sending<Outcome>(
    of: string,
    send: () => Promise<Outcome>,
    messageOf: (outcome: Outcome) => Message,
  ): Promise<Outcome> {
    const { clock } = this.#host;
    this.#underWay += 1;
    try {
      const turn = this.#pace?.turn('sending', of);
      if (turn) {
        await turn;
      }
      const life = this.#life;
      this.#add({ kind: 'sending', of, at: clock.now() });
      this.#pace?.done('sending', of);
      const outcome = await send();
      if (life === this.#life && this.#start) {
        const message = messageOf(outcome);
        this.#add({ kind: 'sent', of, at: clock.now(), message, outcome }, message, outcome);
      }
      this.#pace?.done('sent', of);
      return outcome;
    } finally {
      this.#over();
    }
  }

  /** Whether the records that there may be leave room for what comes. */
  get #fits(): boolean {
    const { event: _, ...counters } = this.#host.state.counters;
    const records = Object.values(counters).reduce((sum, count) => sum + count, 0);
    return records * RECORD_BYTES * 2 <= this.#space.limit;
  }

  /** The number of the session's last event. */
  get lastEvent(): number {
    return this.#host.state.counters['event'] ?? 0;
  }

  /** `contents` are what of it takes memory: weighed only where it is kept, since every call comes through here. */
  #add(entry: HistoryEntry, ...contents: readonly unknown[]): void {
    if (this.#start) {
      this.#entries.push(entry);
      this.#space.take(
        this,
        contents.reduce<number>((bytes, content) => bytes + weigh(content), OWN_BYTES),
      );
    }
  }

  #over(): void {
    this.#underWay -= 1;
    if (this.canBegin) {
      this.#host.beginHistory(this.#cutBecause ?? MADE_ROOM);
    }
  }
}
