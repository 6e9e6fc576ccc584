import type { Payment, Settlement } from '../../../base/schema/generated/records.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { draw } from '../books/settlement-files/draw.ts';
import type { FilePlanOf } from '../books/settlements/settlements.ts';
import { findScenario } from './choose-plan.ts';
import { planOf } from './scenario.ts';

/** Maximum number of failed payments to choose from: the oldest ones. */
const MAX_FAILED_PAYMENTS = 50;

/** The planned mistakes in a settlement's file and bank statement, and the delivery of its report: those of the scenario at the close. */
export const filePlanOf: FilePlanOf = async (transaction, settlement) => {
  const scenario = findScenario(transaction, transaction.scenario);
  if (!scenario) {
    return undefined;
  }
  const { environment } = settlement;
  const matchContext = { operation: 'closeSettlement', environment, channel: undefined, body: settlement };
  const { mismatches, reports } = await planOf(scenario, matchContext, 'session');
  const lastNumbers = { payments: transaction.last('payment'), payouts: transaction.last('payout') };
  const hasStatusConflict = mismatches?.kinds?.includes('status-conflict');
  const failedId = hasStatusConflict ? await chooseFailedPayment(transaction, settlement) : undefined;
  const defaults = { kinds: [], totals: 'stay' as const };
  const failedMember = failedId === undefined ? {} : { failed: failedId };
  return {
    ...(mismatches ? { mismatches: { ...defaults, ...mismatches, through: lastNumbers, ...failedMember } } : {}),
    ...(reports ? { reports } : {}),
  };
};

/** The id of a failed payment that the file lists as paid; chosen at the close, because its late success must not change the file. */
async function chooseFailedPayment(transaction: Transaction, settlement: Settlement): Promise<string | undefined> {
  const { items } = await transaction.list('payments', {
    limit: MAX_FAILED_PAYMENTS,
    where: (payment) => canBeListedAsPaid(payment) && belongsTo(settlement, payment),
  });
  const sortKey = ({ id }: Payment) => draw(transaction.seed, settlement.id, 'status-conflict', id);
  return items.sort((one, other) => sortKey(one) - sortKey(other))[0]?.id;
}

/** Excludes late failures; test payments, which no settlement contains; and split payments, of which the merchant may have no share. */
function canBeListedAsPaid({ state, history, testMode, shares }: Payment): boolean {
  return state === 'Failed' && history.every(({ to }) => to !== 'Paid') && !testMode && shares.length === 0;
}

function belongsTo({ merchantId, environment, currency }: Settlement, payment: Payment): boolean {
  return payment.merchantId === merchantId && payment.environment === environment && payment.currency === currency;
}
