import type { LedgerAccountsQuery, LedgerCheck, LedgerEntriesQuery } from '../../../base/schema/control.ts';
import { ACCOUNTS } from '../../../domain/ledger/accounts.ts';
import { type Account, accountKey, Balances } from '../../../domain/ledger/balances.ts';
import { checkBooks } from '../../../domain/ledger/check.ts';
import type { Entry } from '../../../domain/ledger/entries.ts';
import { walkEntries } from '../../../domain/ledger/walk.ts';
import type { Session } from '../../../sessions/session.ts';
import { viewAccount, viewEntry } from '../book-views.ts';
import { cursorAt, numberIn } from '../cursor.ts';
import { fits, type List, type Order, pageOf, USUAL_LIMIT } from '../lists.ts';
import { AnswerWithStatus, type ControlOperation, listOf, one, sessionRow } from '../operation.ts';

const BY_ACCOUNT: Order<Account> = { name: 'ledger/accounts', keyOf: accountKey };
const ENTRIES = 'ledger/entries';

/** The books: entries follow from the steps of records, so that nothing is stored for them. */
export const LEDGER_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, LedgerAccountsQuery>({
    name: 'listAccounts',
    summary: 'List the accounts of the ledger',
    description:
      'What stands on each account, in each environment and currency. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/ledger/accounts',
    query: 'control/ledger-accounts-query',
    request: null,
    response: listOf('control/ledger-account'),
    handle: async ({ session, query: { merchantId, ...query } }) => {
      const own = merchantId === undefined ? {} : { account: ACCOUNTS.merchant(merchantId) };
      const { items, nextCursor } = pageOf(BY_ACCOUNT, await accountsOf(session, { ...query, ...own }), query);
      return { items: items.map(viewAccount), nextCursor };
    },
  }),
  sessionRow<undefined, LedgerEntriesQuery>({
    name: 'listEntries',
    summary: 'List the entries of the ledger',
    description:
      'What each step that moved money debited and credited, in the order in which money moved. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/ledger/entries',
    query: 'control/ledger-entries-query',
    request: null,
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
      'Holds the books against the records: every entry balances, every move of money has its entry, and every account has what the records say. 500 with what differs.',
    method: 'GET',
    path: '/ledger/check',
    query: null,
    request: null,
    response: one('control/ledger-check'),
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
    // Alone in its session: what it compares must be of one moment.
    handle: ({ session }) =>
      session.transact(async (transaction) => {
        const { more, ...audit } = await checkBooks(transaction, lastMoveOf(session));
        const balanced = audit.differences.length === 0;
        const check: LedgerCheck = { balanced, ...audit, ...(more > 0 ? { more } : {}) };
        return balanced ? check : new AnswerWithStatus(500, check);
      }),
  }),
];

function lastMoveOf({ state }: Session): number {
  return state.counters['move'] ?? 0;
}

function accountsOf(session: Session, { limit: _, cursor: __, ...filters }: LedgerAccountsQuery): Promise<Account[]> {
  return session.read(async (reader) => {
    const balances = new Balances();
    await walkEntries(reader, lastMoveOf(session), (entry) => balances.post(entry));
    return balances.accounts.filter((account) => fits(account, filters));
  });
}

function entriesAt(session: Session, query: LedgerEntriesQuery): Promise<List<Entry>> {
  const { limit = USUAL_LIMIT, cursor, order = 'oldest', account, merchantId, ...filters } = query;
  const step = order === 'oldest' ? 1 : -1;
  const after = cursor === undefined ? undefined : numberIn(ENTRIES, cursor);
  const accounts = [account, merchantId === undefined ? undefined : ACCOUNTS.merchant(merchantId)];
  const isWanted = ({ move, postings, ...facts }: Entry) =>
    (after === undefined || (move - after) * step > 0) &&
    accounts.every((each) => each === undefined || postings.some((posting) => posting.account === each)) &&
    fits(facts, filters);
  const first = (entries: Entry[]) => entries.sort((one, other) => (one.move - other.move) * step).slice(0, limit + 1);
  return session.read(async (reader) => {
    let entries: Entry[] = [];
    await walkEntries(reader, lastMoveOf(session), (entry) => {
      if (isWanted(entry)) {
        entries.push(entry);
      }
      // No more is kept than a few pages, however long the books are.
      entries = entries.length > 8 * (limit + 1) ? first(entries) : entries;
    });
    const items = first(entries);
    const last = items[limit - 1];
    return {
      items: items.slice(0, limit),
      nextCursor: items.length > limit && last ? cursorAt(ENTRIES, String(last.move)) : null,
    };
  });
}
