import { localJob } from '../../sessions/job.ts';
import { closeSettlement, paySettlement } from './settlements.ts';

/** A settlement that is due: at its cut-off it is closed, on its value date it is paid. */
export const settleJob = localJob({
  kind: 'settle-merchant',
  collection: 'settlements',
  isRoutine: true,
  async run(transaction, settlement) {
    if (settlement.state === 'Open') {
      await closeSettlement(transaction, settlement, 'clock');
    } else {
      await paySettlement(transaction, settlement);
    }
  },
  fail(transaction, settlement, failure) {
    transaction.put('settlements', { ...settlement, dueAt: null, failure });
  },
});
