import { keyOf } from '../../sessions/job-index.ts';
import { listEntries } from '../lists.ts';
import { type ControlCall, type ControlOperation, controlRow } from '../operation.ts';
import { viewJob } from '../views.ts';

/** What is still to come, and what is under way. */
export const JOB_OPERATIONS: readonly ControlOperation[] = [
  controlRow({
    name: 'listJobs',
    summary: 'What is under way, then what is due, the next one first',
    method: 'GET',
    path: '/jobs',
    request: null,
    handle: async (call) => {
      const jobs = call.session.scheduler.inspect().map((job) => ({ id: keyOf(job), ...job }));
      return listEntries(
        call as ControlCall<never>,
        jobs,
        ['kind', 'collection', 'recordId', 'state'],
        viewJob,
        'oldest',
      );
    },
  }),
];
