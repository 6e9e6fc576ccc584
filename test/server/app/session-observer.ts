import { namesIn } from '../../../src/base/members.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { COLLECTIONS } from '../../../src/server/store/collections.ts';
import type { CollectionName, SessionSnapshot } from '../../../src/server/store/store.ts';

export interface SessionMoment {
  snapshot: SessionSnapshot;
  now: number;
  calls: Session['history']['calls'];
}

/** Reads a session from the store at the end of each call, after each event and after each job, to check the history. */
export class SessionObserver {
  readonly #session: Session;
  readonly #moments = new Map<string, Promise<SessionMoment>>();

  constructor(session: Session) {
    this.#session = session;
    const { history } = session;
    const endCall = history.endCall.bind(history);
    history.endCall = (call, recording) => {
      endCall(call, recording);
      const last = history.contents?.entries.at(-1);
      if (last?.kind === 'answer') {
        this.#recordSteps([last.of]);
      }
    };
    const addCommit = history.addCommit.bind(history);
    history.addCommit = (commit, cause) => {
      addCommit(commit, cause);
      const jobs = cause === undefined || /^request-\d+$/.test(cause) ? [] : [cause];
      // The history is notified of a commit before the store has applied it.
      queueMicrotask(() => this.#recordSteps([...commit.events.map(({ id }) => `event-${id}`), ...jobs]));
    };
    this.#recordSteps(['start']);
  }

  async moments(): Promise<Map<string, SessionMoment>> {
    const all = [...this.#moments].map(async ([step, moment]) => [step, await moment] as const);
    return new Map(await Promise.all(all));
  }

  #recordSteps(steps: readonly string[]): void {
    const session = this.#session;
    const { state, history } = session;
    const { calls } = history;
    const now = session.clock.now();
    const reads = inOneTurn(() =>
      namesIn(COLLECTIONS).map(
        async (name) => [name, await session.reader.all<CollectionName>(name)] as [CollectionName, unknown[]],
      ),
    );
    const moment = Promise.all(reads).then((lists) => {
      const filled = lists.filter(([, list]) => list.length > 0);
      return { snapshot: { state, ...Object.fromEntries(filled) } as SessionSnapshot, now, calls };
    });
    for (const step of steps) {
      this.#moments.set(step, moment);
    }
  }
}

/** Reads without pauses, during which the session could change. Long reads pause after some time, so the clock is stopped. */
function inOneTurn<T>(read: () => T): T {
  const clock = import.meta.jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    return read();
  } finally {
    clock.mockRestore();
  }
}
