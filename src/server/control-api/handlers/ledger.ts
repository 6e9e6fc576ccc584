import type { LedgerAccountsQuery, LedgerCheck, LedgerEntriesQuery } from '../../../base/schema/generated/control.ts';
import { type AccountBalance, accountKey } from '../../domain/books/ledger/account-balances.ts';
import { ACCOUNTS } from '../../domain/books/ledger/accounts.ts';
import { checkBooks } from '../../domain/books/ledger/check-books.ts';
import type { LedgerEntry } from '../../domain/books/ledger/ledger-entries.ts';
import { balancesOf } from '../../domain/books/ledger/running-balances.ts';
import { entriesBetween } from '../../domain/books/ledger/walk-records.ts';
import type { Session } from '../../sessions/session.ts';
import { viewAccount, viewEntry } from '../book-views.ts';
import { AnswerWithStatus, type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { cursorAt, numberInCursor } from '../cursor.ts';
import { DEFAULT_LIMIT, type ItemPage, type ListOrder, matchesFilters, pageOf } from '../lists.ts';

const BY_ACCOUNT: ListOrder<AccountBalance> = { name: 'ledger/accounts', keyOf: accountKey };
const ENTRIES = 'ledger/entries';

export const LEDGER_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, LedgerAccountsQuery>({
    name: 'listAccounts',
    summary: 'List the accounts of the ledger',
    description: 'The balance of each account, by environment and currency.',
    method: 'GET',
    path: '/ledger/accounts',
    query: 'control/ledger-accounts-query',
    response: listOf('control/ledger-account'),
    handle: async ({ session, query: { merchantId, limit, cursor, ...query } }) => {
      const accountFilter = merchantId === undefined ? {} : { account: ACCOUNTS.merchant(merchantId) };
      const allAccounts = await session.read(async (reader) => (await balancesOf(reader)).accounts);
      const accounts = allAccounts.filter((account) => matchesFilters(account, { ...query, ...accountFilter }));
      const { items, nextCursor } = await pageOf(BY_ACCOUNT, accounts, { limit, cursor });
      return { items: items.map(viewAccount), nextCursor };
    },
  }),
  sessionRow<undefined, LedgerEntriesQuery>({
    name: 'listEntries',
    summary: 'List the entries of the ledger',
    description: 'The debits and credits of each step that moved money, in the order in which it moved.',
    method: 'GET',
    path: '/ledger/entries',
    query: 'control/ledger-entries-query',
    response: listOf('control/ledger-entry'),
    handle: async ({ session, query }) => {
      const { items, nextCursor } = await entriesAt(session, query);
      return { items: items.map(viewEntry), nextCursor };
    },
  }),
  sessionRow({
    name: 'checkLedger',
    summary: 'Check the ledger',
    description:
      'Checks the books against the records: every entry balances, every movement of money has its entry, and the balance of every account agrees with the records. 500 with the differences.',
    method: 'GET',
    path: '/ledger/check',
    response: itemOf('control/ledger-check'),
    otherStatus: {
      status: 500,
      description: 'The books do not balance, or do not agree with the records.',
      example: {
        balanced: false,
        records: 1,
        entries: 0,
        postings: 0,
        moves: 1,
        accounts: 0,
        differences: [{ subject: 'move 1', expected: 'an entry', found: 'none' }],
      },
    },
    // Runs exclusively in its session, because books and records must be of the same moment.
    handle: ({ session }) =>
      session.transact(async (transaction) => {
        const { more, ...audit } = await checkBooks(transaction, transaction.last('move'));
        const balanced = audit.differences.length === 0;
        const check: LedgerCheck = { balanced, ...audit, ...(more > 0 ? { more } : {}) };
        return balanced ? check : new AnswerWithStatus(500, check);
      }),
  }),
];

function entriesAt(session: Session, query: LedgerEntriesQuery): Promise<ItemPage<LedgerEntry>> {
  const { limit = DEFAULT_LIMIT, cursor, order = 'oldest', account, merchantId, ...filters } = query;
  const newestFirst = order !== 'oldest';
  const accounts = [account, merchantId === undefined ? undefined : ACCOUNTS.merchant(merchantId)];
  const isWanted = ({ postings, ...facts }: LedgerEntry) =>
    accounts.every((each) => each === undefined || postings.some((posting) => posting.account === each)) &&
    matchesFilters(facts, filters);
  return session.read(async (reader) => {
    const lastMove = reader.lastCommitted('move');
    const afterMove = cursor === undefined ? undefined : numberInCursor(ENTRIES, cursor);
    const range = {
      from: afterMove === undefined || newestFirst ? 1 : afterMove + 1,
      to: afterMove === undefined || !newestFirst ? lastMove : Math.min(afterMove - 1, lastMove),
      newestFirst,
    };
    const items: LedgerEntry[] = [];
    for await (const entry of entriesBetween(reader, range)) {
      const lastItem = items[limit - 1];
      if (isWanted(entry) && lastItem) {
        return { items, nextCursor: cursorAt(ENTRIES, String(lastItem.move)) };
      }
      if (isWanted(entry)) {
        items.push(entry);
      }
    }
    return { items, nextCursor: null };
  });
}
