import * as fc from 'fast-check';
import { runSteps } from '../../../src/base/steps.ts';
import { jobTableOf, localJob } from '../../../src/server/sessions/job.ts';
import { type ClockWait, type DueJob, JobIndex, type RecordJob } from '../../../src/server/sessions/job-index.ts';
import type { DueCollection } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';

/** In the order in which jobs that are due at the same instant run. */
const COLLECTIONS = ['settlements', 'payments', 'recurringPayments'] as const;
const RANKED: readonly string[] = COLLECTIONS;
const ROUTINE = 'settlements';

const jobs = jobTableOf(
  COLLECTIONS.map((collection) =>
    localJob<DueCollection>({
      kind: `test-${collection}`,
      collection,
      ...(collection === ROUTINE ? { isRoutine: true } : {}),
      run: async () => undefined,
      fail: () => undefined,
    }),
  ),
);

/** A model of the index: a list that is sorted at each read. */
class Model {
  jobs: (DueJob & { number: number })[] = [];
  waits: ClockWait[] = [];

  put(job: DueJob & { number: number }): void {
    this.remove(job);
    this.jobs.push(job);
  }

  remove({ recordId, collection }: RecordJob): void {
    this.jobs = this.jobs.filter((job) => job.recordId !== recordId || job.collection !== collection);
  }

  get sortedJobs(): DueJob[] {
    const rank = ({ collection }: DueJob) => RANKED.indexOf(collection);
    return this.jobs
      .toSorted((a, b) => a.dueAt - b.dueAt || rank(a) - rank(b) || a.number - b.number)
      .map(({ collection, recordId, dueAt }) => ({ collection, recordId, dueAt }));
  }

  /** Waits are sorted only by time; those of the same instant stay in order of arrival. */
  get next(): DueJob | ClockWait | undefined {
    const [job] = this.sortedJobs;
    const [wait] = this.waits.toSorted((a, b) => a.dueAt - b.dueAt);
    return job && wait ? (job.dueAt <= wait.dueAt ? job : wait) : (job ?? wait);
  }

  pop(): DueJob | ClockWait | undefined {
    const { next } = this;
    if (next && 'resume' in next) {
      this.waits = this.waits.filter((wait) => wait !== next);
    } else if (next) {
      this.remove(next);
    }
    return next;
  }
}

const PREFIXES = { settlements: 'settlement-', payments: 'payment-', recurringPayments: '' };
const anyDueAt = fc.constantFrom(0, 1, 2, 1_700_000_000_000);
const anyStep = fc.oneof(
  { arbitrary: fc.record({ action: fc.constant('put'), dueAt: anyDueAt }), weight: 5 },
  { arbitrary: fc.record({ action: fc.constantFrom('remove', 'pop', 'pop'), dueAt: fc.constant(0) }), weight: 4 },
  { arbitrary: fc.record({ action: fc.constant('wait'), dueAt: anyDueAt }), weight: 2 },
  { arbitrary: fc.record({ action: fc.constant('clear'), dueAt: fc.constant(0) }), weight: 1 },
);
const anySteps = fc.array(fc.tuple(anyStep, fc.constantFrom(...COLLECTIONS), fc.constantFrom(1, 2, 3, 9, 10, 11)), {
  maxLength: 40,
});

it('the job index equals a list sorted by time, job table and number, with waiting callers last', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const index = new JobIndex(jobs);
      const model = new Model();
      for (const [{ action, dueAt }, collection, number] of steps) {
        const job = { collection, recordId: PREFIXES[collection] + number, dueAt };
        if (action === 'put') {
          index.put(job);
          model.put({ ...job, number });
        } else if (action === 'remove') {
          index.remove(job);
          model.remove(job);
        } else if (action === 'pop') {
          expect(index.pop()).toEqual(model.pop());
        } else if (action === 'wait') {
          const wait = { dueAt, resume: () => undefined };
          index.addWait(wait);
          model.waits.push(wait);
        } else {
          const remaining = index.clear();
          const waits = model.waits.toSorted((a, b) => a.dueAt - b.dueAt);
          expect(remaining.map((wait, at) => wait === waits[at])).toEqual(waits.map(() => true));
          Object.assign(model, { jobs: [], waits: [] });
        }
        const { next, sortedJobs } = model;
        expect(index.peek()).toEqual(next);
        expect([index.peek()?.dueAt, index.size]).toEqual([next?.dueAt, model.jobs.length]);
        expect(index.has(job)).toBe(model.jobs.some((each) => each.recordId === job.recordId));
        const hasNonRoutineJobs = model.waits.length > 0 || sortedJobs.some((each) => each.collection !== ROUTINE);
        expect(index.hasNonRoutineJobs).toBe(hasNonRoutineJobs);
        for (const filter of [() => true, (each: DueJob) => each.recordId.endsWith('1')]) {
          expect(new Set(runSteps(index.jobs(filter)))).toEqual(new Set(sortedJobs.filter(filter)));
        }
      }
    }),
    { numRuns: cases(300) },
  );
});

it('the job index has each record once, even if its due time changed thousands of times', () => {
  const index = new JobIndex(jobs);
  for (let dueAt = 5000; dueAt > 0; dueAt -= 1) {
    for (const recordId of ['payment-1', 'payment-2']) {
      index.put({ collection: 'payments', recordId, dueAt });
    }
  }
  expect(index.size).toBe(2);
  expect([index.pop(), index.pop(), index.pop()]).toEqual([
    { collection: 'payments', recordId: 'payment-1', dueAt: 1 },
    { collection: 'payments', recordId: 'payment-2', dueAt: 1 },
    undefined,
  ]);
});
