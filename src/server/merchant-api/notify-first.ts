import type { Generation } from '../sessions/generation.ts';
import type { Session } from '../sessions/session.ts';
import type { RequestRecord } from './request-record.ts';

/** Waits until what a call initiated is settled, and each of its notifications that is due by now was tried once. */
export async function notifyFirst(
  session: Session,
  { initiated }: Pick<RequestRecord, 'initiated'>,
  generation: Generation,
): Promise<void> {
  if (!initiated) {
    return;
  }
  const { scheduler, now } = session;
  await scheduler.finished(initiated, generation, now);
  const deliveries = await session.find('deliveries', 'subjectId', initiated.recordId);
  const jobs = deliveries.map(({ id: recordId }) => ({ collection: 'deliveries' as const, recordId }));
  await Promise.all(jobs.map((job) => scheduler.finished(job, generation, now)));
}
