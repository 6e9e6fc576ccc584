import { Refusal } from '../../../base/refusal.ts';
import type { BalanceDaysQuery, BalancesQuery, InvoiceQuery } from '../../../base/schema/generated/control.ts';
import { merchantBookKey } from '../../domain/books/ledger/settlement-lines.ts';
import { CSV_TYPE } from '../../domain/books/settlement-files/csv-text.ts';
import { invoiceCsv, invoiceFile } from '../../domain/books/settlement-files/invoice-file.ts';
import { type BalanceDay, balanceDays } from '../../domain/books/settlements/balance-days.ts';
import { type MerchantBalance, merchantBalances } from '../../domain/books/settlements/merchant-balances.ts';
import {
  type InvoiceKey,
  invoiceMonths,
  invoiceNumber,
  invoiceOf,
} from '../../domain/books/settlements/month-invoice.ts';
import { findMerchant } from '../../domain/merchants/merchants.ts';
import type { Reader } from '../../sessions/reader.ts';
import { viewBalance, viewDay } from '../book-views.ts';
import { type ControlOperation, itemOf, listOf, PlainText, sessionRow } from '../control-operation.ts';
import { INVOICE_TEXTS } from '../example-texts.ts';
import { type ListOrder, matchesFilters, pageOf } from '../lists.ts';

const BY_BOOK: ListOrder<MerchantBalance> = {
  name: 'balances',
  keyOf: (balance) => merchantBookKey(balance.merchantId, balance),
};
const BY_DAY: ListOrder<BalanceDay> = {
  name: 'balances/days',
  keyOf: (day) => `${merchantBookKey(day.merchantId, day)} ${day.businessDate}`,
};

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export const BALANCE_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, BalancesQuery>({
    name: 'listBalances',
    summary: 'List balances',
    description:
      'The amounts owed to each merchant, separately for each environment and currency: pending, available, and in transit to the bank.',
    method: 'GET',
    path: '/balances',
    query: 'control/balances-query',
    response: listOf('control/balance'),
    // Runs exclusively in its session, because ledger and settlements must be of the same moment.
    handle: async ({ session, query: { limit, cursor, ...filters } }) => {
      const balances = await session.transact(merchantBalances);
      const matching = balances.filter((balance) => matchesFilters(balance, filters));
      const { items, nextCursor } = await pageOf(BY_BOOK, matching, { limit, cursor });
      return { items: items.map(viewBalance), nextCursor };
    },
  }),
  sessionRow<undefined, BalanceDaysQuery>({
    name: 'listBalanceDays',
    summary: 'List balances by business date',
    description: 'The opening balance, movements and closing balance of each business date that has a settlement.',
    method: 'GET',
    path: '/balances/days',
    query: 'control/balance-days-query',
    response: listOf('control/balance-day'),
    handle: async ({ session, query: { limit, cursor, from, to, ...filters } }) => {
      const days = await session.read(async (reader) => {
        const { items } = await reader.list('settlements', {
          limit: Number.MAX_SAFE_INTEGER,
          where: (settlement) => matchesFilters(settlement, filters),
        });
        return balanceDays(items, reader);
      });
      const inRange = days.filter(({ businessDate }) => businessDate >= (from ?? '') && businessDate <= (to ?? '9999'));
      const { items, nextCursor } = await pageOf(BY_DAY, inRange, { limit, cursor });
      return { items: items.map(viewDay), nextCursor };
    },
  }),
  sessionRow<undefined, InvoiceQuery>({
    name: 'getInvoice',
    summary: "Get a month's fee invoice",
    description:
      'The fees of all settlements of a month (`2026-03`) with value added tax, whose rate is in the fixture settlement.json, and the negative balances that were invoiced: JSON with money in minor units, or CSV (`format=csv`). Preliminary until the month has ended and its settlements are closed. 404 for a month without settlements.',
    refusals: ['unknown-record'],
    method: 'GET',
    path: '/invoices/{month}',
    query: 'control/invoice-query',
    response: { ...itemOf('control/invoice'), texts: INVOICE_TEXTS },
    handle: async ({ session, parameters, query: { format = 'json', ...book } }) => {
      const month = requireMonth(parameters['month']);
      const invoice = await session.read(async (reader) => {
        const { name } = requireBook(reader, book);
        requireSettled(reader, { ...book, month });
        return invoiceFile(await invoiceOf({ ...book, month }, reader), name);
      });
      return format === 'csv'
        ? new PlainText(CSV_TYPE, invoiceCsv(invoice, session.fixtures.settlement.file))
        : invoice;
    },
  }),
];

function requireMonth(month = ''): string {
  if (!MONTH.test(month)) {
    throw new Refusal('unknown-record', `there is no month ${JSON.stringify(month)}: write it as in 2026-03`);
  }
  return month;
}

function requireBook(reader: Reader, { merchantId, currency }: InvoiceQuery): { name: string } {
  const merchant = findMerchant(reader, merchantId);
  if (!merchant) {
    throw new Refusal('unknown-record', `there is no merchant ${JSON.stringify(merchantId)} in this session`);
  }
  if (!reader.fixtures.currencies.currencies.some(({ currencyCode }) => currencyCode === currency)) {
    throw new Refusal('unknown-record', `there is no currency ${JSON.stringify(currency)} in currencies.json`);
  }
  return merchant;
}

/** Each environment and currency has its own invoice, so the error for a missing one names the others of the month. */
function requireSettled(reader: Reader, key: InvoiceKey): void {
  const months = invoiceMonths(key.merchantId, reader);
  if (months.some((month) => invoiceNumber(month.key) === invoiceNumber(key))) {
    return;
  }
  const otherBooks = months.flatMap(({ key: { month, environment, currency } }) =>
    month === key.month ? [`${environment}, ${currency}`] : [],
  );
  const hint = otherBooks.length === 0 ? '' : `; it has some in ${otherBooks.join(' and in ')}`;
  throw new Refusal(
    'unknown-record',
    `${key.merchantId} has no settlements of ${key.month} in ${key.environment}, ${key.currency}, and so no invoice${hint}`,
  );
}
