import type { MinorUnits } from '../../../../base/money.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Transaction } from '../../../sessions/transaction.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { balancesOf } from '../ledger/running-balances.ts';
import { merchantBookKey } from '../ledger/settlement-lines.ts';
import { walkRecords } from '../ledger/walk-records.ts';

/** A merchant's balance in one environment and currency, and its parts. A negative balance is owed by the merchant. */
export interface MerchantBalance extends Pick<Settlement, 'merchantId' | 'environment' | 'currency'> {
  /** The amount moved since the last close. */
  pending: MinorUnits;
  /** The amount that is closed but not transferred. */
  available: MinorUnits;
  /** The amount on its way to the bank; not part of the balance. */
  inTransit: MinorUnits;
  /** pending + available. */
  balance: MinorUnits;
}

interface ClosedAmounts extends Pick<Settlement, 'merchantId' | 'environment' | 'currency'> {
  sequence: number;
  available: MinorUnits;
  inTransit: MinorUnits;
}

/**
 * The balances of all merchants with settlements. `balance` is from the ledger, `available` and `inTransit` from settlements, so that no
 * lines are read. Needs a transaction, because otherwise a move between the two reads could be in only one.
 */
export async function merchantBalances(transaction: Transaction): Promise<MerchantBalance[]> {
  const books = new Map<string, ClosedAmounts>();
  const addSettlement = (settlement: Settlement) => {
    const { merchantId, environment, currency, sequence, state, totals } = settlement;
    const key = merchantBookKey(merchantId, settlement);
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
        addSettlement(record);
      }
    },
    ['settlements'],
  );
  const ledgerBalances = await balancesOf(transaction);
  return [...books.values()].map(({ sequence: _, available, inTransit, ...merchantBook }) => {
    const balance = ledgerBalances.balance(merchantBook, ACCOUNTS.merchant(merchantBook.merchantId));
    return { ...merchantBook, pending: balance - available, available, inTransit, balance };
  });
}
