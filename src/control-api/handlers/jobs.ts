import type { JobsQuery } from '../../schema/control.ts';
import { keyOf } from '../../sessions/job-index.ts';
import { listEntries } from '../lists.ts';
import { type ControlOperation, listOf, sessionRow } from '../operation.ts';
import { viewJob } from '../views.ts';

/** What is still to come, and what is under way. */
export const JOB_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, JobsQuery>({
    name: 'listJobs',
    summary: 'List jobs',
    description:
      'What is under way, then what is due, the next one first. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/jobs',
    query: 'control/jobs-query',
    request: null,
    response: listOf('control/job'),
    handle: async ({ session, query }) => {
      const jobs = session.scheduler.inspect().map((job) => ({ id: keyOf(job), ...job }));
      const { items, nextCursor } = listEntries(jobs, { order: 'oldest', ...query });
      return { items: items.map(viewJob), nextCursor };
    },
  }),
];
