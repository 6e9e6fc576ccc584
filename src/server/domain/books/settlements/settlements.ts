import { type MinorUnits, toDecimalText, toMinorUnits } from '../../../../base/money.ts';
import { Refusal } from '../../../../base/refusal.ts';
import { runInTurns } from '../../../../base/run-in-turns.ts';
import type { Payment, Settlement } from '../../../../base/schema/generated/records.ts';
import { fillTemplate } from '../../../config/template.ts';
import type { Transaction } from '../../../sessions/transaction.ts';
import { idOf, numberIn } from '../../../store/record-numbers.ts';
import type { BookedCollection, BookedRecords } from '../ledger/record-movements.ts';
import { linesOfRecord, merchantBookKey } from '../ledger/settlement-lines.ts';
import { totalsOf } from '../ledger/totals.ts';
import { businessDateAt, fileLayoutOn, valueDay } from './business-calendar.ts';
import { lastNumbers, readLines } from './read-lines.ts';
import { COMPLETE_STATES, latestVersion, nextIssue } from './report-issues.ts';

type Cause = Settlement['history'][number]['cause'];
/** Plans the mistakes in the file and bank statement of a settlement that is being closed, and the delivery of its report. */
export type FilePlanOf = (
  transaction: Transaction,
  settlement: Settlement,
) => Promise<Pick<Settlement, 'mismatches' | 'reports'> | undefined>;

export interface CloseOptions {
  cause: Cause;
  filePlanOf: FilePlanOf;
}

export type ReturnReason = { code?: string | undefined; description?: string | undefined };

interface AccountMove {
  collection: BookedCollection;
  record: Pick<Payment, 'id' | 'environment' | 'currency'>;
  merchantId: string;
  move: number;
}

/**
 * Adds a new move to the open settlement of each merchant whose account it changes. A merchant has one for each environment and
 * currency; the first move after a close creates it, so that no settlement is empty. If the settlement's cut-off has passed but it is not
 * closed yet, because the job is late or off, it ends with the previous move, and another settlement is created.
 */
export function addToOpenSettlement<Name extends BookedCollection>(
  transaction: Transaction,
  collection: Name,
  record: BookedRecords[Name],
  move: number,
): void {
  const lines = linesOfRecord(collection, record).filter((line) => line.move === move);
  const number = numberIn(collection, record.id);
  for (const merchantId of new Set(lines.map((line) => line.merchantId))) {
    const latestOf = merchantBookKey(merchantId, record);
    const [latest] = transaction.find('settlements', 'latestOf', latestOf);
    if (latest?.state === 'Open' && transaction.now < latest.cutOff) {
      const firstNumber = latest.first[collection];
      if (firstNumber === undefined || number < firstNumber) {
        transaction.put('settlements', { ...latest, first: { ...latest.first, [collection]: number } });
      }
    } else {
      if (latest) {
        const throughMove = latest.throughMove ?? move - 1;
        transaction.put('settlements', { ...latest, latestOf: null, throughMove });
      }
      openSettlement(transaction, { collection, record, merchantId, move }, latestOf, latest);
    }
  }
}

function openSettlement(
  transaction: Transaction,
  { collection, record, merchantId, move }: AccountMove,
  latestOf: string,
  previous: Settlement | undefined,
): void {
  const { fixtures, now } = transaction;
  const { businessDate, cutOff } = businessDateAt(fixtures, now);
  transaction.put('settlements', {
    id: idOf('settlements', transaction.next('settlement')),
    createdAt: now,
    merchantId,
    environment: record.environment,
    currency: record.currency,
    businessDate,
    sequence: (previous?.sequence ?? 0) + 1,
    cutOff,
    bank: fillTemplate(fixtures.settlement.account, { merchantId }) as Settlement['bank'],
    latestOf,
    previous: previous?.id ?? null,
    firstMove: move,
    throughMove: null,
    first: { [collection]: numberIn(collection, record.id) },
    last: null,
    totals: null,
    valueDate: null,
    state: 'Open',
    dueAt: fixtures.settlement.automatic ? cutOff : null,
    history: [],
  });
}

/**
 * Closes a settlement and sets its totals. If the previous one is open, closes that first, because the amount that it carries over is
 * carried in. Throws `conflict` if the settlement was closed before.
 */
export async function closeSettlement(
  transaction: Transaction,
  settlement: Settlement,
  options: CloseOptions,
): Promise<Settlement> {
  if (settlement.state !== 'Open') {
    throw new Refusal('conflict', `${settlement.id} is ${settlement.state} and was closed before`);
  }
  const { fixtures } = transaction;
  const carriedIn = await closePrevious(transaction, settlement.previous, options);
  const boundedSettlement: Settlement = {
    ...settlement,
    throughMove: settlement.throughMove ?? transaction.last('move'),
    last: lastNumbers((counter) => transaction.last(counter)),
  };
  const lines = await readLines(boundedSettlement, transaction);
  const { minimum, negativeBalance = 'carry' } = fixtures.settlement;
  const terms = { minimum: toMinorUnits(minimum), negativeBalance };
  const totals = await runInTurns(totalsOf(lines, carriedIn, terms));
  // A settlement that a control call closes after its cut-off gets the value date of the day on which it is closed.
  const isLate = options.cause === 'control' && transaction.now >= settlement.cutOff;
  const day = isLate ? businessDateAt(fixtures, transaction.now) : settlement;
  const { valueDate, at } = valueDay(fixtures, day.businessDate);
  const isTransferred = totals.transferred !== 0;
  const plan = await options.filePlanOf(transaction, settlement);
  return changeSettlementState(
    transaction,
    {
      ...boundedSettlement,
      ...plan,
      ...(plan?.reports?.late === undefined ? {} : { issued: 0 }),
      ...(fileLayoutOn(fixtures, settlement.businessDate) === 2 ? { layout: 2 as const } : {}),
      totals,
      valueDate: isTransferred ? valueDate : null,
      dueAt: isTransferred ? Math.max(at, transaction.now) : null,
    },
    {
      to: isTransferred ? 'InTransit' : totals.invoiced === undefined ? 'CarriedOver' : 'Invoiced',
      cause: options.cause,
    },
  );
}

/** Returns the amount that the previous settlement carries over. */
async function closePrevious(transaction: Transaction, id: string | null, options: CloseOptions): Promise<MinorUnits> {
  const previous = id === null ? undefined : transaction.get('settlements', id);
  const closed = previous?.state === 'Open' ? await closeSettlement(transaction, previous, options) : previous;
  return closed?.totals?.carriedOut ?? 0;
}

export async function closeAll(
  transaction: Transaction,
  filter: Partial<Pick<Settlement, 'merchantId' | 'environment' | 'currency'>>,
  filePlanOf: FilePlanOf,
): Promise<Settlement[]> {
  const { items } = await transaction.list('settlements', {
    limit: Number.MAX_SAFE_INTEGER,
    where: ({ state, merchantId, environment, currency }) =>
      state === 'Open' &&
      merchantId === (filter.merchantId ?? merchantId) &&
      environment === (filter.environment ?? environment) &&
      currency === (filter.currency ?? currency),
  });
  const closedSettlements: Settlement[] = [];
  for (const { id } of items) {
    const settlement = transaction.get('settlements', id);
    if (settlement) {
      closedSettlements.push(await closeSettlement(transaction, settlement, { cause: 'control', filePlanOf }));
    }
  }
  return closedSettlements;
}

/** Records that the transfer has arrived at the bank. */
export function paySettlement(transaction: Transaction, settlement: Settlement): Settlement {
  return changeSettlementState(transaction, { ...settlement, dueAt: null }, { to: 'Paid', cause: 'clock' });
}

/** Returns a transfer: the merchant is owed the amount again. Throws `conflict` if none has arrived, or if it was returned before. */
export function returnSettlement(transaction: Transaction, settlement: Settlement, reason: ReturnReason): Settlement {
  if (settlement.state !== 'Paid') {
    throw new Refusal('conflict', `${settlement.id} is ${settlement.state}: only a paid settlement can be returned`);
  }
  const returned = changeSettlementState(transaction, settlement, { to: 'Returned', cause: 'control', ...reason });
  const move = returned.history.at(-1)?.move ?? transaction.last('move');
  addToOpenSettlement(transaction, 'settlements', returned, move);
  return transaction.get('settlements', settlement.id) ?? returned;
}

export function issueReport(transaction: Transaction, settlement: Settlement): void {
  const updated: Settlement = { ...settlement, issued: (settlement.issued ?? 1) + 1 };
  transaction.put('settlements', { ...updated, dueAt: nextIssue(updated)?.at ?? null });
  const { id, merchantId, businessDate } = settlement;
  const version = latestVersion(updated);
  transaction.emit('settlement.report-issued', 'settlements', id, { merchantId, businessDate, version });
}

/** Changes a settlement's state, with a step and an event. Every close emits `created`, because opening a settlement emits no event. */
function changeSettlementState(
  transaction: Transaction,
  settlement: Settlement,
  { to, cause, code, description }: { to: Settlement['history'][number]['to']; cause: Cause } & ReturnReason,
): Settlement {
  const from = settlement.state as Settlement['history'][number]['from'];
  const step = { at: transaction.now, from, to, cause, code: code ?? null, description: description ?? null };
  const move = to === 'CarriedOver' ? {} : { move: transaction.next('move') };
  const updated: Settlement = { ...settlement, state: to, history: [...settlement.history, { ...step, ...move }] };
  const changed = COMPLETE_STATES.has(to) ? { ...updated, dueAt: nextIssue(updated)?.at ?? null } : updated;
  transaction.put('settlements', changed);
  const event = to === 'Paid' ? 'paid' : to === 'Returned' ? 'returned' : 'created';
  transaction.emit(`settlement.${event}`, 'settlements', changed.id, {
    cause,
    merchantId: changed.merchantId,
    businessDate: changed.businessDate,
    amount: toDecimalText(changed.totals?.transferred ?? 0),
    currency: changed.currency,
    state: to,
    code: step.code,
    description: step.description,
  });
  return changed;
}
