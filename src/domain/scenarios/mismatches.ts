import type { MismatchesOf } from '../settlements/settlements.ts';
import { findScenario } from './choose.ts';
import { planOf } from './scenario.ts';

/** How the file and the bank statement of a settlement are to differ from the books, by the scenario that is followed as it is closed. */
export const mismatchesOf: MismatchesOf = async (transaction, settlement) => {
  const scenario = await findScenario(transaction, transaction.scenario);
  if (!scenario) {
    return undefined;
  }
  const { environment } = settlement;
  const matchContext = { operation: 'closeSettlement', environment, channel: undefined, body: settlement };
  const { mismatches } = await planOf(scenario, matchContext, 'session');
  const through = { payments: transaction.last('payment'), payouts: transaction.last('payout') };
  return mismatches && { kinds: [], totals: 'stay', ...mismatches, through };
};
