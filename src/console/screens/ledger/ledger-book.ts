import { type MinorUnits, toMinorUnits } from '../../../base/money.ts';
import type { LedgerAccountView } from '../../../base/schema/generated/control.ts';

export interface AccountRow {
  account: string;
  debits: MinorUnits;
  credits: MinorUnits;
  /** Credits less debits. */
  balance: MinorUnits;
}

/** The accounts of one environment and currency. The sums of their debits and of their credits are equal. */
export interface LedgerBook {
  environment: LedgerAccountView['environment'];
  currency: string;
  accounts: AccountRow[];
  total: Omit<AccountRow, 'account'>;
}

/** The meaning of an account's balance, by the first part of its name, in the order in which accounts are shown. */
const MEANINGS: Readonly<Record<string, string>> = {
  merchant: 'owed to the merchant',
  receivables: 'invoiced to the merchant',
  payers: 'received from payers',
  fees: 'fees earned',
  'in-transit': 'on the way to banks',
  bank: 'settled to it, less payouts from it',
  suspense: 'without a known owner',
};

const kindOf = (account: string) => account.split(':')[0] ?? '';

export const meaningOf = (account: string) => MEANINGS[kindOf(account)];

export function ledgerBooksOf(accounts: readonly LedgerAccountView[]): LedgerBook[] {
  const books = new Map<string, LedgerBook>();
  for (const { environment, currency, account, ...sums } of accounts) {
    const key = `${environment} ${currency}`;
    const book = books.get(key) ?? {
      environment,
      currency,
      accounts: [],
      total: { debits: 0, credits: 0, balance: 0 },
    };
    const row = {
      account,
      debits: toMinorUnits(sums.debits),
      credits: toMinorUnits(sums.credits),
      balance: toMinorUnits(sums.balance),
    };
    const { debits, credits, balance } = book.total;
    books.set(key, {
      ...book,
      accounts: [...book.accounts, row],
      total: { debits: debits + row.debits, credits: credits + row.credits, balance: balance + row.balance },
    });
  }
  const rankOf = ({ account }: AccountRow) => Object.keys(MEANINGS).indexOf(kindOf(account));
  return [...books.values()].map((book) => ({
    ...book,
    accounts: book.accounts.sort((one, other) => rankOf(one) - rankOf(other)),
  }));
}
