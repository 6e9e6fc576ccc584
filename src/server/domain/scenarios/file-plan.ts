import type { Payment, Settlement } from '../../../base/schema/generated/records.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { draw } from '../books/settlement-files/draw.ts';
import type { FilePlanOf } from '../books/settlements/settlements.ts';
import { findScenario } from './choose.ts';
import { planOf } from './scenario.ts';

/** The most failed payments that are read, the newest first. */
const MAX_FAILED_PAYMENTS = 50;

/** The planned mistakes in the file and the bank statement of a settlement, and the delivery of the file, by the scenario that is active when it is closed. */
export const filePlanOf: FilePlanOf = async (transaction, settlement) => {
  const scenario = findScenario(transaction, transaction.scenario);
  if (!scenario) {
    return undefined;
  }
  const { environment } = settlement;
  const matchContext = { operation: 'closeSettlement', environment, channel: undefined, body: settlement };
  const { mismatches, reports } = await planOf(scenario, matchContext, 'session');
  const through = { payments: transaction.last('payment'), payouts: transaction.last('payout') };
  const isConflict = mismatches?.kinds?.includes('status-conflict');
  const failed = isConflict ? await failedPayment(transaction, settlement) : undefined;
  return {
    ...(mismatches
      ? {
          mismatches: {
            kinds: [],
            totals: 'stay',
            ...mismatches,
            through,
            ...(failed === undefined ? {} : { failed }),
          },
        }
      : {}),
    ...(reports ? { reports } : {}),
  };
};

/** A payment that a file can have a line for though it failed: kept at the close, as it may still be paid late. */
async function failedPayment(transaction: Transaction, settlement: Settlement): Promise<string | undefined> {
  const { items } = await transaction.list('payments', {
    limit: MAX_FAILED_PAYMENTS,
    where: (payment) => neverPaid(payment) && isOf(settlement, payment),
  });
  const chance = ({ id }: Payment) => draw(transaction.seed, settlement.id, 'status-conflict', id);
  return items.sort((one, other) => chance(one) - chance(other))[0]?.id;
}

/** In test mode nothing is ever settled, and of a split payment a merchant may have no share. */
function neverPaid({ state, history, testMode, shares }: Payment): boolean {
  return state === 'Failed' && history.every(({ to }) => to !== 'Paid') && !testMode && shares.length === 0;
}

function isOf({ merchantId, environment, currency }: Settlement, payment: Payment): boolean {
  return payment.merchantId === merchantId && payment.environment === environment && payment.currency === currency;
}
