import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import { runInTurns } from '../../../../base/run-in-turns.ts';
import type { LedgerCheck } from '../../../../base/schema/generated/control.ts';
import type { Steps } from '../../../../base/steps.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { accountKey, Balances, balanceOf } from './account-balances.ts';
import type { BookDifference } from './difference.ts';
import { type EntriesOf, entriesOf, type LedgerEntry } from './ledger-entries.ts';
import { SettlementAudit } from './settlement-audit.ts';
import { accountTotalsOf, validateRecord } from './validate-record.ts';
import { type AnyBookedRecord, walkRecords } from './walk-records.ts';

const MAX_DIFFERENCES = 100;

export type BooksAuditResult = Required<Omit<LedgerCheck, 'balanced'>>;

/**
 * Compares entries, which are derived from histories and adjustments, with the present state of the records. The session must not change
 * while its records are read.
 */
export async function checkBooks(
  reader: Pick<Reader, 'list'>,
  lastMove: number,
  derive: EntriesOf = entriesOf,
): Promise<BooksAuditResult> {
  const audit = new BooksAudit(lastMove);
  await walkRecords(reader, (booked) => {
    audit.add(booked, derive(booked.collection, booked.record));
  });
  return runInTurns(audit.finish());
}

class BooksAudit {
  readonly #lastMove: number;
  readonly #posted = new Balances();
  readonly #expected = new Balances();
  readonly #settlements = new SettlementAudit();
  readonly #moves = new Set<number>();
  readonly #differences: BookDifference[] = [];
  #records = 0;
  #entries = 0;
  #postings = 0;
  #omittedCount = 0;

  constructor(lastMove: number) {
    this.#lastMove = lastMove;
  }

  add(booked: AnyBookedRecord, entries: readonly LedgerEntry[]): void {
    const { collection, record } = booked;
    this.#settlements.add(booked);
    this.#records += 1;
    this.#report(...validateRecord(collection, record));
    this.#expected.add(record, accountTotalsOf(collection, record));
    for (const entry of entries) {
      this.#entries += 1;
      this.#postings += entry.postings.length;
      this.#posted.post(entry);
      this.#checkEntry(entry);
    }
  }

  *finish(): Steps<BooksAuditResult> {
    this.#checkMoves();
    const accounts = this.#posted.accounts;
    const expected = new Map(this.#expected.accounts.map((account) => [accountKey(account), balanceOf(account)]));
    const posted = new Map(accounts.map((account) => [accountKey(account), balanceOf(account)]));
    for (const key of new Set([...posted.keys(), ...expected.keys()])) {
      this.#checkBalance(key, expected.get(key) ?? 0, posted.get(key) ?? 0);
    }
    const balance = (environment: string, currency: string, account: string) =>
      posted.get(accountKey({ environment, currency, account })) ?? 0;
    this.#report(...(yield* this.#settlements.finish(balance)));
    const [records, entries, postings] = [this.#records, this.#entries, this.#postings];
    const differences = this.#differences;
    const moves = this.#lastMove;
    return { records, entries, postings, moves, accounts: accounts.length, differences, more: this.#omittedCount };
  }

  #checkEntry({ id, move, postings, recordId }: LedgerEntry): void {
    const subject = `${id} of ${recordId}`;
    const sumOf = (side: string) =>
      postings.reduce((sum, posting) => sum + (posting.side === side ? posting.amount : 0), 0);
    const [debits, credits] = [sumOf('debit'), sumOf('credit')];
    if (debits !== credits || postings.length === 0) {
      const expected = 'debits and credits that add up to the same, above 0';
      this.#report({ subject, expected, found: `${toDecimalText(debits)} and ${toDecimalText(credits)}` });
    }
    if (postings.some(({ amount }) => !Number.isSafeInteger(amount) || amount < 1)) {
      this.#report({ subject, expected: 'amounts of at least a cent', found: JSON.stringify(postings) });
    }
    if (move > this.#lastMove || this.#moves.has(move)) {
      const expected = `a unique move, up to ${this.#lastMove}`;
      this.#report({ subject, expected, found: `move ${move}` });
    }
    this.#moves.add(move);
  }

  /** Stops at the maximum, because a wrong `lastMove` may be far too large. */
  #checkMoves(): void {
    let missing = this.#lastMove - [...this.#moves].filter((move) => move <= this.#lastMove).length;
    for (let move = 1; missing > 0 && this.#differences.length < MAX_DIFFERENCES; move += 1) {
      if (!this.#moves.has(move)) {
        this.#report({ subject: `move ${move}`, expected: 'an entry', found: 'none' });
        missing -= 1;
      }
    }
    this.#omittedCount += missing;
  }

  #checkBalance(subject: string, expected: MinorUnits, found: MinorUnits): void {
    if (expected !== found) {
      this.#report({ subject, expected: `${toDecimalText(expected)}, by the records`, found: toDecimalText(found) });
    }
  }

  #report(...differences: BookDifference[]): void {
    for (const difference of differences) {
      if (this.#differences.length < MAX_DIFFERENCES) {
        this.#differences.push(difference);
      } else {
        this.#omittedCount += 1;
      }
    }
  }
}
