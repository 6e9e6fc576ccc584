import { type Job, localJob } from '../../sessions/job.ts';
import { closeSettlement, type MismatchesOf, paySettlement } from './settlements.ts';

/** A settlement that is due: at its cut-off it is closed, on its value date it is paid. */
export function settleJob(mismatchesOf: MismatchesOf): Job {
  return localJob({
    kind: 'settle-merchant',
    collection: 'settlements',
    isRoutine: true,
    async run(transaction, settlement) {
      if (settlement.state === 'Open') {
        await closeSettlement(transaction, settlement, { cause: 'clock', mismatchesOf });
      } else {
        await paySettlement(transaction, settlement);
      }
    },
    fail(transaction, settlement, failure) {
      transaction.put('settlements', { ...settlement, dueAt: null, failure });
    },
  });
}
