import type { MinorUnits } from '../../base/money.ts';
import type { Payment, Settlement } from '../../base/schema/records.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { bookOf, netOf } from '../ledger/lines.ts';
import { linesOf } from './lines.ts';
import { lastNumbers } from './settlements.ts';

/** What is owed to a merchant in an environment and a currency: what was carried over, and what is still to be settled. */
export async function fundsOf(
  transaction: Transaction,
  merchantId: string,
  of: Pick<Payment, 'environment' | 'currency'>,
): Promise<MinorUnits> {
  const [latest] = await transaction.find('settlements', 'latestOf', bookOf(merchantId, of));
  let funds = 0;
  let settlement: Settlement | undefined = latest;
  while (settlement && !settlement.totals) {
    const lines = await linesOf({ ...settlement, last: lastNumbers(transaction) }, transaction);
    funds += lines.reduce((sum, line) => sum + netOf(line), 0);
    settlement = settlement.previous === null ? undefined : await transaction.get('settlements', settlement.previous);
  }
  return funds + (settlement?.totals?.carriedOut ?? 0);
}
