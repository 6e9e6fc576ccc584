import { Refusal } from '../../../src/base/refusal.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import type { ClockState } from '../../../src/server/sessions/clock.ts';
import { type Job, jobTableOf, localJob, type NetworkJob, networkJob } from '../../../src/server/sessions/job.ts';
import { Session } from '../../../src/server/sessions/session.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import { openStore } from '../../../src/server/store/file/embedded-store.ts';
import { MemoryReads } from '../../../src/server/store/memory/reads.ts';
import type { UndoAction } from '../../../src/server/store/memory/table.ts';
import { Tables } from '../../../src/server/store/memory/tables.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { payment, state } from '../store/samples.ts';

const fixtures = await loadFixtures();

/** A separate session in memory, on a clock frozen at 0, with jobs that a test defines. */
export function sessionWith(...jobs: Job[]) {
  return sessionOn({ mode: 'frozen', now: 0 }, ...jobs);
}

/** A session like that of sessionWith, on any clock. */
export async function sessionOn(clock: ClockState, ...jobs: Job[]) {
  const { errors, ...parts } = await partsWith(...jobs);
  const start = { scenario: 'payer-decides', clock };
  return { session: new Session('shop', state({ clock, start }), parts), store: parts.store, errors };
}

export async function partsWith(...jobs: Job[]) {
  const store = await openStore({ file: ':memory:', syncToDisk: false, onWarning: () => undefined });
  const errors: unknown[] = [];
  return {
    store,
    errors,
    fixtures: () => fixtures,
    publicUrl: () => 'http://127.0.0.1:4100',
    requestLogMemory: new SharedMemory(1e6),
    historyMemory: new SharedMemory(1e6),
    installationKey: Buffer.alloc(32),
    hooks: {
      jobs: jobTableOf(jobs),
      onEvents: async () => undefined,
      onPublished: () => undefined,
      onJobFailed: (_kind: string, _id: string, error: unknown) => errors.push(error),
      onError: (error: unknown) => errors.push(error),
    },
  };
}

/** A session with jobs on payments, on a disk that can be full. Unwritten changes can be read until they are rolled back. */
export async function sessionOnDisk() {
  const { errors, ...parts } = await partsWith(paymentsJob(() => undefined));
  const disk = { isFull: false, commitRequest: deferred() };
  const tables = new Tables();
  let unwritten: UndoAction[] = [];
  const commit = async (change: Commit) => {
    // A full disk still has room for commits without records, which are small.
    const isWritable = !disk.isFull || change.changes.length === 0;
    const undo = tables.apply(change);
    unwritten.push(undo);
    if (disk.isFull) {
      disk.commitRequest.resolve();
    }
    await endOfTurn();
    const isApplied = unwritten.includes(undo);
    if (isApplied && isWritable) {
      unwritten = unwritten.filter((each) => each !== undo);
      return;
    }
    for (const each of isApplied ? unwritten.reverse() : []) {
      each();
    }
    unwritten = isApplied ? [] : unwritten;
    throw new Refusal('storage', 'the disk is full');
  };
  const reads = new MemoryReads(tables);
  const store = new Proxy(parts.store, {
    get(target, name) {
      const member: unknown = name === 'commit' ? commit : Reflect.get(name in reads ? reads : target, name);
      return typeof member === 'function' ? member.bind(name in reads ? reads : target) : member;
    },
  });
  const clock = { mode: 'frozen', now: 0 } as const;
  const session = new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), {
    ...parts,
    store,
  });
  const storePayment = (id: string, dueAt: number) =>
    session.transact(async (transaction) => transaction.put('payments', payment(id, { dueAt })));
  return { session, disk, errors, storePayment };
}

/** A session on a frozen clock whose commits are durable only after a wait, in their order. */
export async function sessionOnDelayedDisk(wait: () => Promise<void>, ...jobs: Job[]): Promise<Session> {
  const { errors: _, ...parts } = await partsWith(...jobs);
  const { store } = parts;
  const commit = store.commit.bind(store);
  let earlier: Promise<void> = Promise.resolve();
  store.commit = (change) => {
    const result = commit(change);
    earlier = earlier.then(wait).then(() => result);
    return earlier;
  };
  const clock = { mode: 'frozen', now: 0 } as const;
  return new Session('shop', state({ clock, start: { scenario: 'payer-decides', clock } }), parts);
}

/** A session whose commits are visible at once, and durable when the test resolves `diskWrite`. */
export async function sessionOnSlowDisk() {
  const { errors: _, ...parts } = await partsWith(paymentsJob(() => undefined));
  const commits: Commit[] = [];
  const commitRequest = deferred();
  const diskWrite = deferred();
  const { store } = parts;
  const commit = store.commit.bind(store);
  store.commit = async (change) => {
    commits.push(change);
    const result = commit(change);
    commitRequest.resolve();
    await diskWrite.promise;
    return result;
  };
  const clock = { mode: 'frozen', now: 0 } as const;
  const initialState = state({ clock, start: { scenario: 'payer-decides', clock } });
  return { session: new Session('shop', initialState, parts), commits, commitRequest, diskWrite };
}

/** A local job on payments. `run` returns the next due time of the payment; undefined for none. */
export function paymentsJob(run: (id: string, dueAt: number) => Promise<number | undefined> | number | undefined): Job {
  return localJob({
    kind: 'test-payment',
    collection: 'payments',
    async run(transaction, payment) {
      const next = await run(payment.id, payment.dueAt ?? Number.NaN);
      transaction.put('payments', { ...payment, dueAt: next ?? null });
    },
    fail(transaction, payment, failure) {
      transaction.put('payments', { ...payment, dueAt: null, failure });
    },
  });
}

/** A network job on deliveries that stores its outcome as the delivery's body. */
export function deliveriesJob(send: NetworkJob<'deliveries', string>['send']): Job {
  return networkJob<'deliveries', string>({
    kind: 'test-delivery',
    collection: 'deliveries',
    lane: ({ url }) => ({ name: url, width: 10 }),
    send,
    recordAbort(transaction, delivery, body) {
      transaction.put('deliveries', { ...delivery, body: `aborted: ${body}` });
    },
    recordOutcome(transaction, delivery, sent, body) {
      const isReplayDue = delivery.replays !== sent.replays;
      transaction.put('deliveries', { ...delivery, body, dueAt: isReplayDue ? delivery.dueAt : null });
      transaction.emit('delivery.succeeded', 'deliveries', delivery.id, { body });
    },
    fail(transaction, delivery, failure) {
      transaction.put('deliveries', { ...delivery, dueAt: null, failure });
    },
  });
}

/** A promise with the functions that resolve and reject it. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Waits some turns of the event loop; by default, enough for everything that needs no external event. */
export async function waitForTurns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await endOfTurn();
  }
}

/** Whether a promise is resolved or rejected within some turns of the event loop. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const onEnd = () => {
    hasEnded = true;
  };
  promise.then(onEnd, onEnd);
  await waitForTurns(5);
  return hasEnded;
}

/** Whether no job is due or running, except future routine jobs. */
export function isIdle({ scheduler }: Session): boolean {
  return scheduler.nextDueUnlessIdle === undefined && scheduler.load.running === 0;
}
