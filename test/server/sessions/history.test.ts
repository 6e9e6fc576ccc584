import type { Payment } from '../../../src/base/schema/generated/records.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { stateAt } from '../../../src/server/histories/state-at.ts';
import { SessionHistory } from '../../../src/server/sessions/history.ts';
import type { CallEntry, CallOrigin } from '../../../src/server/sessions/history-entry.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import { cases } from '../../cases.ts';
import { randomFrom } from '../../random.ts';
import { payment } from '../store/samples.ts';
import { paymentsJob, sessionOnDisk, sessionOnSlowDisk, sessionWith } from './session-under-test.ts';

const newCall = (id: string, origin: CallOrigin): CallEntry => ({
  kind: 'call',
  id,
  origin,
  at: 0,
  bytes: 100,
  describe: () => ({ method: 'GET', path: '/', search: '', headers: {}, body: null, answer: null }),
});

/** A session whose history has begun. */
async function recordedSession(...jobs: Parameters<typeof sessionWith>) {
  const { session } = await sessionWith(...jobs);
  session.history.begin(session.state);
  return session;
}

const put = (session: Session, id: string, dueAt: number | null = null) =>
  session.transact(async (transaction) => transaction.put('payments', payment(id, { dueAt })));
/** For each entry of the history, the call or cause. */
const stepsIn = ({ history }: Pick<Session, 'history'>) =>
  history.contents?.entries.map((entry) =>
    entry.kind === 'call' ? `${entry.id} begins` : entry.kind === 'answer' ? `${entry.of} ends` : entry.cause,
  );

/** The payments that a session had when its history began. */
async function paymentsAtBegin(session: Session, { contents } = session.history): Promise<Payment[]> {
  const { payments = [] } = contents ? runSteps(stateAt(contents, await session.snapshot(), 0)).snapshot : {};
  return payments;
}

describe('the cause of a commit', () => {
  it('is the call of the merchant API that made it', async () => {
    const session = await recordedSession();
    const cause = { id: 'request-7', addCommit: () => undefined };
    await session.transact(async (transaction) => transaction.put('payments', payment('payment-1')), { cause });
    expect(stepsIn(session)).toEqual(['request-7']);
  });

  it('is the job that made it; if a control call moved the clock, that call is the cause of the move’s own commit', async () => {
    const session = await recordedSession(paymentsJob(() => undefined));
    await put(session, 'payment-1', 50);
    const call = newCall('control-1', 'control');
    const recording = session.history.beginCall(call);
    await session.clockMover.advance('PT1S');
    session.history.endCall(call, recording);
    expect(stepsIn(session)).toEqual([
      null,
      'control-1 begins',
      'test-payment payment-1',
      'control-1',
      'control-1 ends',
    ]);
    expect(session.history.contents?.entries.map(({ at }) => at)).toEqual([0, 0, 50, 1000, 1000]);
  });

  it('is the active control call or page if there is only one', async () => {
    const session = await recordedSession();
    const control = newCall('control-1', 'control');
    const recording = session.history.beginCall(control);
    session.history.beginCall(newCall('request-1', 'merchant'));
    await put(session, 'payment-1');
    session.history.beginCall(newCall('page-1', 'page'));
    await put(session, 'payment-2');
    session.history.endCall(control, recording);
    await put(session, 'payment-3');
    expect(stepsIn(session)?.filter((step) => !/begins|ends/.test(String(step)))).toEqual([
      'control-1',
      null,
      'page-1',
    ]);
  });
});

describe('a history', () => {
  it('has no answer to a call that began before it', async () => {
    const session = await recordedSession();
    const call = newCall('control-1', 'control');
    const recording = session.history.beginCall(call);
    await session.reset();
    session.history.endCall(call, recording);
    expect(stepsIn(session)).toEqual([]);
  });

  it('that begins with a reset numbers its calls from 1, even before the reset is stored', async () => {
    const { session, commitRequest, diskWrite } = await sessionOnSlowDisk();
    expect([session.requests.nextId(), session.requests.nextId()]).toEqual(['request-1', 'request-2']);
    const reset = session.reset();
    await commitRequest.promise;
    expect(session.requests.nextId()).toBe('request-1');
    diskWrite.resolve();
    await reset;
    expect(session.requests.nextId()).toBe('request-2');
  });

  it('starts again, with the reason, when a commit could not be stored', async () => {
    const { session, disk, storePayment } = await sessionOnDisk();
    session.history.begin(session.state);
    await storePayment('payment-1', 50);
    disk.isFull = true;
    await expect(storePayment('payment-2', 60)).rejects.toThrow('the disk is full');
    disk.isFull = false;
    await session.confirm();
    await storePayment('payment-3', 70);
    const { cutBecause, entries } = session.history.contents ?? {};
    expect([cutBecause, entries?.length]).toEqual(['changes could not be stored', 1]);
    expect((await paymentsAtBegin(session)).map(({ id }) => id)).toEqual(['payment-1']);
  });

  it('ends with its session, and cannot start again', async () => {
    const session = await recordedSession();
    session.end('deleted');
    session.beginHistory('a test');
    await endOfTurn();
    expect(session.history.contents).toBeUndefined();
  });

  it.each(Array.from({ length: cases(20) }, (_, index) => index + 1))(
    'whose oldest steps were dropped begins with the records as they were after these steps (%i)',
    async (seed) => {
      const random = randomFrom(seed);
      const session = await recordedSession();
      const memory = new SharedMemory(20_000 + random(60_000));
      const small = new SessionHistory(session, memory);
      small.begin(session.state);
      const { addCommit } = session.history;
      session.history.addCommit = (commit, cause) => {
        addCommit.call(session.history, commit, cause);
        small.addCommit(commit, cause);
      };
      const snapshots: Payment[][] = [];
      for (let step = 1; step <= 200; step += 1) {
        await session.transact(async (transaction) => {
          for (let change = random(4); change >= 0; change -= 1) {
            const id = `payment-${1 + random(20)}`;
            if (random(3) === 0) {
              transaction.remove('payments', id);
            } else {
              transaction.put('payments', payment(id, { amount: step }));
            }
          }
        });
        snapshots.push(await session.reader.all('payments'));
      }
      const [all, rest] = [session.history.contents, small.contents];
      expect(rest?.cutBecause).toContain('--history-size');
      expect(rest?.entries).toEqual(all?.entries.slice(-(rest?.entries.length ?? 0)));
      // Each entry counts as more than 1000 bytes.
      expect(rest?.entries.length).toBeLessThan(memory.limitBytes / 1000);
      expect(rest?.entries.length).toBeGreaterThan(0);
      const droppedCount = (all?.entries.length ?? 0) - (rest?.entries.length ?? 0);
      expect(await paymentsAtBegin(session, small)).toEqual(snapshots[droppedCount - 1]);
    },
  );
});
