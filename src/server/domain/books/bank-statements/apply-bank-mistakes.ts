import type { BankStatementKey } from '../../../../base/schema/generated/control.ts';
import type { BankMistake, Settlement } from '../../../../base/schema/generated/records.ts';
import { draw } from '../settlement-files/draw.ts';
import { inventReference, type ReferenceCheck, type SeededRandom } from '../settlement-files/invent-reference.ts';
import { type BankEntry, type BookingContext, bankReference, referenceMembers, withDirection } from './bank-entries.ts';
import type { BookedStep, SettlementStep } from './booked-steps.ts';

/** A finding, with the day of the statement that shows it. */
export type BankFinding = BankStatementKey['findings'][number] & { date: string };

export interface ShownEntries {
  /** In the order of their moves; an added entry comes after the transfer. */
  entries: BankEntry[];
  findings: BankFinding[];
  /** By settlement id: the planned mistakes that were not made in its transfer. */
  skipped: ReadonlyMap<string, readonly BankMistake[]>;
}

interface ShownMistake {
  entries: BankEntry[];
  findings: BankFinding[];
}

interface Context {
  random: SeededRandom;
  booking: BookingContext;
}

/** Minimum charge of a bank for a transfer, and the range above it. */
const MIN_CHARGE_CENTS = 25;
const CHARGE_RANGE_CENTS = 175;
/** Minimum amount of an unknown credit, and the range above it. */
const MIN_CREDIT_CENTS = 1000;
const CREDIT_RANGE_CENTS = 99_000;

/** THE TABLE of mistakes in transfers. A mistake returns undefined if it cannot be made with the booked entry. */
const TRANSFER_MISTAKES: Readonly<
  Record<Exclude<BankMistake, 'unknown-credit'>, (step: SettlementStep, context: Context) => ShownMistake | undefined>
> = {
  late: (step, { booking }) => showLater(step, booking.nextBusinessDay(step.entry.bookingDate)),
  short: ({ settlement, entry }, { random }) => {
    if (entry.amount <= 1) {
      return undefined;
    }
    const charge = Math.min(entry.amount - 1, MIN_CHARGE_CENTS + (random('charge') % CHARGE_RANGE_CENTS));
    const shortEntry = { ...entry, ...withDirection(entry.amount - charge) };
    const finding = findingToInvestigate('short', settlement, shortEntry, 0 - charge);
    return {
      entries: [shortEntry],
      findings: [{ ...finding, field: 'amount', expected: entry.amount, shown: shortEntry.amount }],
    };
  },
  twice: ({ settlement, entry }) => {
    const duplicate = { ...entry, id: bankReference(settlement, 'again') };
    const finding = findingToInvestigate('twice', settlement, entry, entry.amount);
    return {
      entries: [entry, duplicate],
      findings: [{ ...finding, shownEntries: [entry.id, duplicate.id], field: 'entry', expected: 1, shown: 2 }],
    };
  },
};

/**
 * The entries that the bank shows. Of the table's mistakes that are planned and possible, a transfer gets the one with the smallest hash. A
 * planned unknown credit is added.
 */
export async function applyBankMistakes(
  steps: readonly BookedStep[],
  booking: BookingContext,
  { seed, referenceCheckFor }: { seed: string; referenceCheckFor: (settlement: Settlement) => ReferenceCheck },
): Promise<ShownEntries> {
  const shown = {
    entries: [] as BankEntry[],
    findings: [] as BankFinding[],
    skipped: new Map<string, BankMistake[]>(),
  };
  for (const { settlement, entry, move } of steps) {
    if (!settlement) {
      shown.entries.push(entry);
      continue;
    }
    const step = { settlement, entry, move };
    const kinds = settlement.mismatches?.bank ?? [];
    if (entry.type === 'return') {
      // A return cannot be shown before its transfer, which may be late.
      const arrival = shown.findings.find(
        ({ kind, settlementId }) => kind === 'arrived' && settlementId === settlement.id,
      );
      const { entries, findings } = (arrival && showLater(step, arrival.date)) ?? { entries: [entry], findings: [] };
      shown.entries.push(...entries);
      shown.findings.push(...findings);
      continue;
    }
    if (kinds.length === 0) {
      shown.entries.push(entry);
      continue;
    }
    const randomFor =
      (kind: string): SeededRandom =>
      (...words) =>
        draw(seed, settlement.id, 'bank', kind, ...words);
    const applicable = kinds
      .flatMap((kind) => {
        const replacement =
          kind === 'unknown-credit' ? undefined : TRANSFER_MISTAKES[kind](step, { random: randomFor(kind), booking });
        return replacement ? [{ kind, replacement }] : [];
      })
      .sort((one, other) => randomFor(one.kind)() - randomFor(other.kind)());
    const [chosen] = applicable;
    const { entries, findings } = chosen?.replacement ?? { entries: [entry], findings: [] };
    const addition = kinds.includes('unknown-credit')
      ? await unknownCredit(step, randomFor('unknown-credit'), referenceCheckFor(settlement))
      : { entries: [], findings: [] };
    shown.entries.push(...entries, ...addition.entries);
    shown.findings.push(...findings, ...addition.findings);
    shown.skipped.set(
      settlement.id,
      kinds.filter((kind) => kind !== chosen?.kind && kind !== 'unknown-credit'),
    );
  }
  return shown;
}

/** An entry that is shown on a later day; undefined if the day is not later. */
function showLater({ settlement, entry }: SettlementStep, date: string): ShownMistake | undefined {
  if (date <= entry.bookingDate) {
    return undefined;
  }
  const { reference, amount } = entry;
  const facts = { ...idsOf(settlement, entry), field: 'entry' };
  const absence = { date: entry.bookingDate, shownEntries: [], expected: reference, shown: null };
  const arrival = { date, shownEntries: [entry.id], expected: null, shown: reference };
  return {
    entries: [{ ...entry, bookingDate: date, valueDate: date }],
    findings: [
      { ...facts, kind: 'late', ...absence, difference: 0 - amount, verdict: 'wait', resolvedOn: date },
      { ...facts, kind: 'arrived', ...arrival, difference: amount, verdict: 'ignore', resolvedOn: null },
    ],
  };
}

/** An additional credit that looks like the transfer and belongs to no settlement. */
async function unknownCredit(
  { settlement, entry }: SettlementStep,
  random: SeededRandom,
  isKnown: ReferenceCheck,
): Promise<ShownMistake> {
  const reference = await inventReference(settlement.id, random, isKnown);
  const credit: BankEntry = {
    ...entry,
    id: bankReference(settlement, 'unknown'),
    ...withDirection(MIN_CREDIT_CENTS + (random('amount') % CREDIT_RANGE_CENTS)),
    ...referenceMembers(settlement, reference),
    code: '',
    description: '',
  };
  const finding = findingToInvestigate('unknown-credit', settlement, credit, credit.amount);
  return { entries: [credit], findings: [{ ...finding, field: 'entry', expected: null, shown: reference }] };
}

function findingToInvestigate(kind: BankFinding['kind'], settlement: Settlement, entry: BankEntry, difference: number) {
  const facts = { kind, ...idsOf(settlement, entry), date: entry.bookingDate, shownEntries: [entry.id], difference };
  return { ...facts, verdict: 'investigate' as const, resolvedOn: null };
}

function idsOf({ id }: Settlement, { reference }: BankEntry): Pick<BankFinding, 'settlementId' | 'reference'> {
  return { settlementId: id, reference };
}
