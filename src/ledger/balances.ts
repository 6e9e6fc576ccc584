import type { MinorUnits } from '../money.ts';
import type { Payment } from '../schema/records.ts';
import type { Entry } from './entries.ts';

/** What stands on one account, in minor units. */
export interface Account {
  environment: Payment['environment'];
  currency: string;
  account: string;
  debits: MinorUnits;
  credits: MinorUnits;
}

/** Sums of postings by book and account. */
export class Balances {
  readonly #accounts = new Map<string, Account>();

  add({ environment, currency, postings }: Pick<Entry, 'environment' | 'currency' | 'postings'>): void {
    for (const { account, side, amount } of postings) {
      const known = this.#accountOf(environment, currency, account);
      known[side === 'debit' ? 'debits' : 'credits'] += amount;
    }
  }

  /** In the order of their names, book by book. */
  get accounts(): Account[] {
    return [...this.#accounts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
  }

  #accountOf(environment: Payment['environment'], currency: string, account: string): Account {
    const key = accountKey({ environment, currency, account });
    const known = this.#accounts.get(key) ?? { environment, currency, account, debits: 0, credits: 0 };
    this.#accounts.set(key, known);
    return known;
  }
}

/** Credits less debits: what the provider owes, or has earned, is above 0. */
export function balanceOf({ debits, credits }: Pick<Account, 'debits' | 'credits'>): MinorUnits {
  return credits - debits;
}

/** Names an account over all books. */
export function accountKey({ environment, currency, account }: Omit<Account, 'debits' | 'credits'>): string {
  return `${environment} ${currency} ${account}`;
}
