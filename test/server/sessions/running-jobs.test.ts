import { endOfTurn } from '../../../src/base/timers.ts';
import { type RunningJob, RunningJobs } from '../../../src/server/sessions/running-jobs.ts';

/** N jobs that wait to be recorded in order, the ids recorded so far, and the number of times `isOrdered` was read. */
async function waitingJobs(count: number) {
  const jobs = new RunningJobs();
  const observed = { recorded: [] as string[], checks: 0 };
  const waiting = Array.from({ length: count }, (_, index): RunningJob => {
    let isOrdered = true;
    const running = {
      kind: 'test-delivery',
      collection: 'deliveries',
      recordId: `delivery-${index + 1}`,
      dueAt: 0,
      nextDueAt: null,
      claimedAt: 0,
      lane: null,
      abortController: new AbortController(),
      completion: Promise.resolve(),
      waitsFor: 'turn',
      get isOrdered() {
        observed.checks += 1;
        return isOrdered;
      },
      set isOrdered(value: boolean) {
        isOrdered = value;
      },
    };
    return running as unknown as RunningJob;
  });
  for (const running of waiting) {
    jobs.add(running);
  }
  // In reverse order, because receivers may answer in any order.
  for (const running of waiting.toReversed()) {
    void jobs.waitForTurn(running).then(() => observed.recorded.push(running.recordId));
  }
  await endOfTurn();
  return { jobs, waiting, observed };
}

describe('jobs that wait to be recorded', () => {
  it('continue in the order of their claims, and only the first checks whether it can', async () => {
    const { jobs, waiting, observed } = await waitingJobs(200);
    const { checks } = observed;
    for (const [index, running] of waiting.entries()) {
      expect(observed.recorded).toEqual(waiting.slice(0, index + 1).map(({ recordId }) => recordId));
      jobs.remove(running);
      jobs.wakeFirst();
      await endOfTurn();
    }
    expect(observed.checks - checks).toBeLessThan(5 * waiting.length);
  });

  it('continue at once if a caller waits for them, or if they are aborted', async () => {
    const { jobs, waiting, observed } = await waitingJobs(4);
    const [first, , third] = waiting;
    expect(third && jobs.release(third)).toBe(true);
    await endOfTurn();
    expect(observed.recorded).toEqual([first?.recordId, third?.recordId]);
    jobs.abort(new Error('the session was reset'));
    await endOfTurn();
    expect(observed.recorded).toHaveLength(4);
  });
});
