import type { Steps } from '../../base/steps.ts';
import type { DueCollection } from '../store/store.ts';
import type { DueJob, JobIndex } from './job-index.ts';
import type { JobRunner } from './job-runner.ts';
import type { WaitsFor } from './running-jobs.ts';

/** The job of a record as it stands. */
export interface JobStatus extends DueJob {
  kind: string;
  state: 'queued' | 'running';
  /** What a running job waits for; null for one that is queued, or needs nothing but this process. */
  waitsFor: WaitsFor | null;
}

/** Jobs that are under way, then those that are due, these in no order. */
export function* statusesOf(
  { local, running }: JobRunner,
  index: JobIndex,
  kindOf: (collection: DueCollection) => string,
  where: (job: DueJob) => boolean,
): Steps<JobStatus[]> {
  const claims = running.list().map((claim) => ({ ...claim, kind: claim.job.kind }));
  const begun = [...local.map((run) => ({ ...run, waitsFor: null })), ...claims].filter(where);
  const underWay = begun.map(({ kind, collection, recordId, dueAt, waitsFor }) => {
    return { kind, collection, recordId, dueAt, state: 'running' as const, waitsFor };
  });
  const statuses: JobStatus[] = underWay;
  for (const { collection, recordId, dueAt } of yield* index.jobs(where)) {
    statuses.push({ kind: kindOf(collection), collection, recordId, dueAt, state: 'queued', waitsFor: null });
    yield;
  }
  return statuses;
}
