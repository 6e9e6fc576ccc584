import type { MinorUnits } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Transaction } from '../../../sessions/transaction.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { balancesOf } from '../ledger/running-balances.ts';
import { bookOf } from '../ledger/settlement-lines.ts';
import { walkRecords } from '../ledger/walk.ts';

/** What a merchant is owed in one environment and currency, by how far it is settled. Below 0 the merchant owes it. */
export interface MerchantBalance extends Pick<Settlement, 'merchantId' | 'environment' | 'currency'> {
  /** What moved since the last close. */
  pending: MinorUnits;
  /** What was closed and not transferred. */
  available: MinorUnits;
  /** What has left the balance and is not at the bank yet. */
  inTransit: MinorUnits;
  /** What stands on the merchant's account: pending and available. */
  balance: MinorUnits;
}

interface Settled extends Pick<Settlement, 'merchantId' | 'environment' | 'currency'> {
  sequence: number;
  available: MinorUnits;
  inTransit: MinorUnits;
}

/**
 * The balances of every merchant that money ever moved for. What stands on its account is known to the ledger, and what of it is
 * closed to the last settlement: no line is looked at. In a transaction, so that both are of one moment.
 */
export async function merchantBalances(transaction: Transaction): Promise<MerchantBalance[]> {
  const books = new Map<string, Settled>();
  const visit = (settlement: Settlement) => {
    const { merchantId, environment, currency, sequence, state, totals } = settlement;
    const key = bookOf(merchantId, settlement);
    const book = books.get(key) ?? { merchantId, environment, currency, sequence: 0, available: 0, inTransit: 0 };
    books.set(key, book);
    if (totals && sequence > book.sequence) {
      book.sequence = sequence;
      book.available = totals.carriedOut;
    }
    book.inTransit += state === 'InTransit' ? (totals?.transferred ?? 0) : 0;
  };
  await walkRecords(
    transaction,
    ({ collection, record }) => {
      if (collection === 'settlements') {
        visit(record);
      }
    },
    ['settlements'],
  );
  const posted = await balancesOf(transaction);
  return [...books.values()].map(({ sequence: _, available, inTransit, ...of }) => {
    const balance = posted.balance(of, ACCOUNTS.merchant(of.merchantId));
    return { ...of, pending: balance - available, available, inTransit, balance };
  });
}
