import type { MinorUnits } from '../../../../base/money.ts';
import type { Payout, Settlement } from '../../../../base/schema/generated/records.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { entriesOf, type LedgerEntry } from '../ledger/ledger-entries.ts';
import { type BookedCollection, type BookedRecords, CREDIT_EVENTS } from '../ledger/record-movements.ts';
import {
  type BankEntry,
  type BookingContext,
  bankReference,
  isPaidTo,
  referenceMembers,
  type StatementAccount,
  withDirection,
} from './bank-entries.ts';

export interface AccountRecords {
  settlements: readonly Settlement[];
  payouts: readonly Payout[];
}

/** A bank entry with the number of its move and, unless it belongs to a payout, its settlement. */
export interface BookedStep {
  move: number;
  entry: BankEntry;
  settlement?: Settlement;
}

export interface SettlementStep extends BookedStep {
  settlement: Settlement;
}

type EntryContext = Pick<BookingContext, 'dayOf' | 'providerName'>;
/** The amount that a posting of a ledger entry moved on the bank account; negative for a debit. */
interface BankPosting {
  ledgerEntry: LedgerEntry;
  amount: MinorUnits;
}

/**
 * The bank's entries for an account, in the order of the moves. Derived from the ledger's postings to the account, so that
 * statements and ledger cannot differ.
 */
export function bookedSteps(
  account: StatementAccount,
  { settlements, payouts }: AccountRecords,
  context: EntryContext,
): BookedStep[] {
  const steps = [
    ...settlements
      .filter((settlement) => isPaidTo(account, settlement))
      .flatMap((settlement) =>
        bankPostingsOf(account, 'settlements', settlement).map((each) => settlementStep(settlement, each, context)),
      ),
    ...payouts
      .filter(({ environment, currency }) => environment === account.environment && currency === account.currency)
      .flatMap((payout) => bankPostingsOf(account, 'payouts', payout).map((each) => payoutStep(payout, each, context))),
  ];
  return steps.sort((one, other) => one.move - other.move);
}

function bankPostingsOf<Name extends BookedCollection>(
  { bank }: StatementAccount,
  collection: Name,
  record: BookedRecords[Name],
): BankPosting[] {
  const name = ACCOUNTS.bank(bank.bankBICCode, bank.accountNumber);
  return entriesOf(collection, record).flatMap((ledgerEntry) =>
    ledgerEntry.postings
      .filter(({ account }) => account === name)
      .map(({ side, amount }) => ({ ledgerEntry, amount: side === 'credit' ? amount : 0 - amount })),
  );
}

/** The entry of a settlement's transfer that arrived or was returned. A transfer with a negative amount was collected. */
function settlementStep(
  settlement: Settlement,
  { ledgerEntry: { move, at, event }, amount }: BankPosting,
  { dayOf, providerName }: EntryContext,
): SettlementStep {
  const type = event === 'settlement.returned' ? 'return' : 'transfer';
  const bookingDate = dayOf(at);
  const entry: BankEntry = {
    id: bankReference(settlement, type),
    type,
    bookingDate,
    valueDate: type === 'return' ? bookingDate : (settlement.valueDate ?? bookingDate),
    ...withDirection(amount),
    currency: settlement.currency,
    ...referenceMembers(settlement, settlement.id),
    counterparty: providerName,
    ...reasonOf(settlement.history.find((step) => step.move === move)),
  };
  return { move, entry, settlement };
}

/** The step is the debit of the account, the arrival of a credit, or the return of the money of a failed or returned credit. */
function payoutStep(payout: Payout, { ledgerEntry, amount }: BankPosting, { dayOf }: EntryContext): BookedStep {
  const { move, at, event, step } = ledgerEntry;
  const index = payout.credits.findIndex(({ history }) => history.some((each) => each.move === move));
  const credit = payout.credits[index];
  const receivers = credit ? [credit] : payout.credits;
  const receiverName = receivers.length === 1 ? (receivers[0]?.accountName ?? '') : '';
  const isReturned = event === CREDIT_EVENTS.Failed || event === CREDIT_EVENTS.Returned;
  // A return has the parties of the original transfer.
  const isDebtorAccount = isReturned ? amount >= 0 : amount < 0;
  const bookingDate = dayOf(at);
  const direction = withDirection(amount);
  const entry: BankEntry = {
    id: bankReference(payout, step, direction.direction),
    type: isReturned ? 'payout-return' : 'payout',
    bookingDate,
    valueDate: bookingDate,
    ...direction,
    currency: payout.currency,
    reference: payout.payerReference,
    payoutId: payout.id,
    ...(credit ? { credit: index + 1 } : {}),
    remittance: remittanceOf(payout, index),
    counterparty: isDebtorAccount ? receiverName : payout.debit.accountName,
    ...reasonOf(credit?.history.find((each) => each.move === move)),
  };
  return { move, entry };
}

function remittanceOf({ id, credits, payerBankReference }: Payout, index: number): string {
  const subject = index < 0 ? `Payout ${id}` : `Credit ${index + 1} of ${credits.length} of payout ${id}`;
  return payerBankReference === '' ? subject : `${subject}, ${payerBankReference}`;
}

function reasonOf(step: { code: string | null; description: string | null } | undefined) {
  return { code: step?.code ?? '', description: step?.description ?? '' };
}
