import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { Transaction } from '../../../sessions/transaction.ts';
import { Balances } from '../ledger/account-balances.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { balancesOf } from '../ledger/running-balances.ts';
import { entriesBetween } from '../ledger/walk-records.ts';

/** The balance owed to a merchant in an environment and a currency, including moves that are not committed yet. */
export async function fundsOf(
  transaction: Transaction,
  merchantId: string,
  bookKey: Pick<Payment, 'environment' | 'currency'>,
): Promise<MinorUnits> {
  const account = ACCOUNTS.merchant(merchantId);
  const committed = (await balancesOf(transaction)).balance(bookKey, account);
  const uncommitted = new Balances();
  const range = { from: transaction.lastCommitted('move') + 1, to: transaction.last('move') };
  for await (const entry of entriesBetween(transaction, range)) {
    uncommitted.post(entry);
  }
  return committed + uncommitted.balance(bookKey, account);
}
