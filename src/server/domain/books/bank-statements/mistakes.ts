import type { BankStatementKey } from '../../../../base/schema/generated/control.ts';
import type { BankMistake, Settlement } from '../../../../base/schema/generated/records.ts';
import { draw } from '../settlement-files/draw.ts';
import { type Chance, invent, type ReferenceCheck } from '../settlement-files/invent.ts';
import { type BankCalendar, type BankEntry, bankReference, referenceMembers, withDirection } from './bank-entries.ts';
import type { BookedStep, SettlementStep } from './booked-steps.ts';

/** A difference, with the day whose statement has it. */
export type BankFinding = BankStatementKey['findings'][number] & { date: string };

export interface ShownEntries {
  /** In the order of their moves; an added entry comes after the transfer. */
  entries: BankEntry[];
  findings: BankFinding[];
  /** By the id of a settlement, the kinds that its transfer did not get. */
  skipped: ReadonlyMap<string, readonly BankMistake[]>;
}

/** The entries that replace one transfer. */
interface Spoiled {
  entries: BankEntry[];
  findings: BankFinding[];
}

interface Context {
  chance: Chance;
  calendar: BankCalendar;
}

/** The least charge of a bank for a transfer, and the range above it, in minor units. */
const MIN_CHARGE = 25;
const CHARGE_RANGE = 175;
/** The least amount of an unknown credit, and the range above it, in minor units. */
const MIN_CREDIT = 1000;
const CREDIT_RANGE = 99_000;

/** THE TABLE of a bank's mistakes with a transfer. Undefined if the entry would be as booked. */
const OF_THE_TRANSFER: Readonly<
  Record<Exclude<BankMistake, 'unknown-credit'>, (step: SettlementStep, context: Context) => Spoiled | undefined>
> = {
  late: (step, { calendar }) => postponed(step, calendar.nextBusinessDay(step.entry.bookingDate)),
  short: ({ settlement, entry }, { chance }) => {
    if (entry.amount <= 1) {
      return undefined;
    }
    const charge = Math.min(entry.amount - 1, MIN_CHARGE + (chance('charge') % CHARGE_RANGE));
    const short = { ...entry, ...withDirection(entry.amount - charge) };
    const finding = wrong('short', settlement, short, 0 - charge);
    return {
      entries: [short],
      findings: [{ ...finding, field: 'amount', expected: entry.amount, shown: short.amount }],
    };
  },
  twice: ({ settlement, entry }) => {
    const again = { ...entry, id: bankReference(settlement, 'again') };
    const finding = wrong('twice', settlement, entry, entry.amount);
    return {
      entries: [entry, again],
      findings: [{ ...finding, shownEntries: [entry.id, again.id], field: 'entry', expected: 1, shown: 2 }],
    };
  },
};

/**
 * The entries that the bank shows, with the mistakes that were chosen when each settlement was closed. If several affect the transfer,
 * it gets the one with the least hash of seed, settlement and kind. Invented references are not used anywhere in the session.
 */
export async function shownEntries(
  steps: readonly BookedStep[],
  calendar: BankCalendar,
  { seed, isKnown }: { seed: string; isKnown: (settlement: Settlement) => ReferenceCheck },
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
      // Nothing is sent back before it has come.
      const arrival = shown.findings.find(
        ({ kind, settlementId }) => kind === 'arrived' && settlementId === settlement.id,
      );
      const { entries, findings } = postponed(step, arrival?.date ?? '') ?? { entries: [entry], findings: [] };
      shown.entries.push(...entries);
      shown.findings.push(...findings);
      continue;
    }
    if (kinds.length === 0) {
      shown.entries.push(entry);
      continue;
    }
    const chanceOf =
      (kind: string): Chance =>
      (...words) =>
        draw(seed, settlement.id, 'bank', kind, ...words);
    const fitting = kinds
      .flatMap((kind) => {
        const spoiled =
          kind === 'unknown-credit' ? undefined : OF_THE_TRANSFER[kind](step, { chance: chanceOf(kind), calendar });
        return spoiled ? [{ kind, spoiled }] : [];
      })
      .sort((one, other) => chanceOf(one.kind)() - chanceOf(other.kind)());
    const [chosen] = fitting;
    const { entries, findings } = chosen?.spoiled ?? { entries: [entry], findings: [] };
    const unknown = kinds.includes('unknown-credit')
      ? await unknownCredit(step, chanceOf('unknown-credit'), isKnown(settlement))
      : { entries: [], findings: [] };
    shown.entries.push(...entries, ...unknown.entries);
    shown.findings.push(...findings, ...unknown.findings);
    shown.skipped.set(
      settlement.id,
      kinds.filter((kind) => kind !== chosen?.kind && kind !== 'unknown-credit'),
    );
  }
  return shown;
}

/** An entry that is shown on a later day; undefined where the day is no later one. */
function postponed({ settlement, entry }: SettlementStep, date: string): Spoiled | undefined {
  if (date <= entry.bookingDate) {
    return undefined;
  }
  const { reference, amount } = entry;
  const facts = { ...named(settlement, entry), field: 'entry' };
  return {
    entries: [{ ...entry, bookingDate: date, valueDate: date }],
    findings: [
      {
        ...facts,
        ...{ kind: 'late', date: entry.bookingDate, shownEntries: [], expected: reference, shown: null },
        ...{ difference: 0 - amount, verdict: 'wait', resolvedOn: date },
      },
      {
        ...facts,
        ...{ kind: 'arrived', date, shownEntries: [entry.id], expected: null, shown: reference },
        ...{ difference: amount, verdict: 'ignore', resolvedOn: null },
      },
    ],
  };
}

/** An additional credit that looks like the transfer and belongs to no settlement. */
async function unknownCredit(
  { settlement, entry }: SettlementStep,
  chance: Chance,
  isKnown: ReferenceCheck,
): Promise<Spoiled> {
  const reference = await invent(settlement.id, chance, isKnown);
  const credit: BankEntry = {
    ...entry,
    id: bankReference(settlement, 'unknown'),
    ...withDirection(MIN_CREDIT + (chance('amount') % CREDIT_RANGE)),
    ...referenceMembers(settlement, reference),
    code: '',
    description: '',
  };
  const finding = wrong('unknown-credit', settlement, credit, credit.amount);
  return { entries: [credit], findings: [{ ...finding, field: 'entry', expected: null, shown: reference }] };
}

/** Members of a finding about an entry to investigate, besides its difference. */
function wrong(kind: BankFinding['kind'], settlement: Settlement, entry: BankEntry, difference: number) {
  const facts = { kind, ...named(settlement, entry), date: entry.bookingDate, shownEntries: [entry.id], difference };
  return { ...facts, verdict: 'investigate' as const, resolvedOn: null };
}

function named({ id }: Settlement, { reference }: BankEntry): Pick<BankFinding, 'settlementId' | 'reference'> {
  return { settlementId: id, reference };
}
