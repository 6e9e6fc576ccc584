import { type Job, localJob } from '../../../sessions/job.ts';
import { closeSettlement, type FilePlanOf, issueReport, paySettlement } from './settlements.ts';

/** Closes a settlement at its cut-off, pays it on its value date, and issues late, repeated and corrected reports. */
export function settleJob(filePlanOf: FilePlanOf): Job {
  return localJob({
    kind: 'settle-merchant',
    collection: 'settlements',
    isRoutine: true,
    async run(transaction, settlement) {
      if (settlement.state === 'Open') {
        await closeSettlement(transaction, settlement, { cause: 'clock', filePlanOf });
      } else if (settlement.state === 'InTransit') {
        paySettlement(transaction, settlement);
      } else {
        issueReport(transaction, settlement);
      }
    },
    fail(transaction, settlement, failure) {
      transaction.put('settlements', { ...settlement, dueAt: null, failure });
    },
  });
}
