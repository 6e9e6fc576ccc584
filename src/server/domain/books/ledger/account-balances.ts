import type { MinorUnits } from '../../../../base/money.ts';
import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { LedgerEntry } from './ledger-entries.ts';

/** The net effect of a record on accounts: credits less debits, in minor units. */
export type AccountTotals = readonly (readonly [account: string, amount: MinorUnits])[];

export interface AccountBalance {
  environment: Payment['environment'];
  currency: string;
  account: string;
  debits: MinorUnits;
  credits: MinorUnits;
}

/** Debits and credits by book (environment and currency) and account. */
export class Balances {
  readonly #books = new Map<string, Map<string, AccountBalance>>();

  post(entry: Pick<LedgerEntry, 'environment' | 'currency' | 'postings'>): void {
    const book = this.#bookOf(entry);
    for (const { account, side, amount } of entry.postings) {
      accountIn(book, entry, account)[side === 'debit' ? 'debits' : 'credits'] += amount;
    }
  }

  /** Adds amounts to accounts of a book: positive ones as credits, negative ones as debits. */
  add(bookKey: Pick<LedgerEntry, 'environment' | 'currency'>, amounts: AccountTotals): void {
    const book = this.#bookOf(bookKey);
    for (const [account, amount] of amounts) {
      accountIn(book, bookKey, account)[amount < 0 ? 'debits' : 'credits'] += Math.abs(amount);
    }
  }

  /** Credits less debits of one account; 0 if it is unknown. */
  balance(bookKey: Pick<LedgerEntry, 'environment' | 'currency'>, account: string): MinorUnits {
    const accountBalance = this.#bookOf(bookKey).get(account);
    return accountBalance ? balanceOf(accountBalance) : 0;
  }

  get accounts(): AccountBalance[] {
    const accounts = [...this.#books.values()].flatMap((book) => [...book.values()]);
    const accountsWithKeys = accounts.map((account) => ({ account: { ...account }, key: accountKey(account) }));
    return accountsWithKeys.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ account }) => account);
  }

  #bookOf({ environment, currency }: Pick<LedgerEntry, 'environment' | 'currency'>): Map<string, AccountBalance> {
    const key = `${environment} ${currency}`;
    const book = this.#books.get(key) ?? new Map<string, AccountBalance>();
    this.#books.set(key, book);
    return book;
  }
}

function accountIn(
  book: Map<string, AccountBalance>,
  { environment, currency }: Pick<LedgerEntry, 'environment' | 'currency'>,
  account: string,
): AccountBalance {
  const existing = book.get(account) ?? { environment, currency, account, debits: 0, credits: 0 };
  book.set(account, existing);
  return existing;
}

/** Credits less debits: positive if the provider owes the amount, has earned it, or has paid it to a bank. */
export function balanceOf({ debits, credits }: Pick<AccountBalance, 'debits' | 'credits'>): MinorUnits {
  return credits - debits;
}

export function accountKey({
  environment,
  currency,
  account,
}: Record<'environment' | 'currency' | 'account', string>): string {
  return `${environment} ${currency} ${account}`;
}
