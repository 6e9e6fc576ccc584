import { type MinorUnits, toDecimalText } from '../../base/money.ts';
import type {
  BalanceDayView,
  BalanceView,
  LedgerAccountView,
  LedgerEntryView,
  SettlementView,
} from '../../base/schema/generated/control.ts';
import type { Settlement } from '../../base/schema/generated/records.ts';
import { type AccountBalance, balanceOf } from '../domain/books/ledger/account-balances.ts';
import type { LedgerEntry } from '../domain/books/ledger/ledger-entries.ts';
import type { SettlementTotals } from '../domain/books/ledger/totals.ts';
import type { BalanceDay } from '../domain/books/settlements/balance-days.ts';
import type { MerchantBalance } from '../domain/books/settlements/merchant-balances.ts';
import { failureOf, viewTime } from './views.ts';

// The books in the form of the control API. Source: ours.

export function viewAccount(account: AccountBalance): LedgerAccountView {
  const { debits, credits } = account;
  return {
    ...account,
    debits: toDecimalText(debits),
    credits: toDecimalText(credits),
    balance: toDecimalText(balanceOf(account)),
  };
}

export function viewEntry(entry: LedgerEntry): LedgerEntryView {
  const postings = entry.postings.map((posting) => ({ ...posting, amount: toDecimalText(posting.amount) }));
  return { ...entry, at: viewTime(entry.at), postings };
}

export function viewBalance({ pending, available, inTransit, balance, ...book }: MerchantBalance): BalanceView {
  return { ...book, ...decimals({ pending, available, inTransit, balance }) };
}

export function viewDay(day: BalanceDay): BalanceDayView {
  const { opening, gross, fee, net, transferred, invoiced, closing } = day;
  return { ...day, ...decimals({ opening, gross, fee, net, transferred, invoiced, closing }) };
}

function decimals<Name extends string>(amounts: Record<Name, MinorUnits>): Record<Name, string> {
  const entries = Object.entries<MinorUnits>(amounts).map(([name, amount]) => [name, toDecimalText(amount)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

export function viewSettlement(settlement: Settlement): SettlementView {
  const { latestOf: _, first: __, last: ___, dueAt: ____, failure, totals, ...shown } = settlement;
  return {
    ...shown,
    ...failureOf(failure),
    createdAt: viewTime(settlement.createdAt),
    cutOff: viewTime(settlement.cutOff),
    totals: totals && viewTotals(totals),
    history: settlement.history.map((step) => ({ ...step, at: viewTime(step.at) })),
  };
}

function viewTotals({
  types,
  carriedIn,
  transferred,
  carriedOut,
  invoiced = 0,
  ...sums
}: SettlementTotals): SettlementView['totals'] {
  return {
    ...viewSums(sums),
    carriedIn: toDecimalText(carriedIn),
    transferred: toDecimalText(transferred),
    carriedOut: toDecimalText(carriedOut),
    invoiced: toDecimalText(invoiced),
    types: Object.fromEntries(Object.entries(types).map(([type, sum]) => [type, viewSums(sum)])),
  };
}

function viewSums({ count, gross, fee, net }: Pick<SettlementTotals, 'count' | 'gross' | 'fee' | 'net'>) {
  return { count, gross: toDecimalText(gross), fee: toDecimalText(fee), net: toDecimalText(net) };
}
