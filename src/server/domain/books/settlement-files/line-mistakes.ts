import { dateAfter } from '../../../../base/calendar.ts';
import type { SettlementMistake } from '../../../../base/schema/generated/records.ts';
import { addDays, formatUtc, parseInstant } from '../../../../base/time.ts';
import { FEE_MEMBER_NAMES, type FeeMember, type FileLine, type NamedLine } from './file.ts';
import type { FileKind } from './file-mistakes.ts';
import { type Chance, invent, type ReferenceCheck } from './invent.ts';

/** Mistakes in lines; the others are about the file as a whole. */
export type LineKind = Exclude<SettlementMistake, FileKind>;

/** The lines that replace those of a mistake, and the difference. */
export interface MistakenLines {
  lines: NamedLine[];
  field: string;
  expected: string | number | null;
  received: string | number | null;
  /** The line of the mistake, if it is not one of the replaced lines. */
  added?: NamedLine | undefined;
}

/** The input of a mistake. */
export interface Sources {
  chance: Chance;
  isKnown: ReferenceCheck;
  /** The line that a failed payment would have if it had been paid; undefined if none failed. */
  failed: NamedLine | undefined;
}

interface LineMistake {
  /** Number of lines that it changes. Default: 1. */
  takes?: number;
  /** What a reconciliation should do about it. Default: investigate. */
  verdict?: 'wait';
  fits(line: FileLine): boolean;
  /** Undefined if these lines would not differ from the books. */
  spoil(taken: readonly NamedLine[], sources: Sources): MistakenLines | undefined | Promise<MistakenLines | undefined>;
}

const any = () => true;
type Amount = 'gross' | 'fee' | 'net' | FeeMember;
const AMOUNTS: readonly Amount[] = ['gross', 'fee', 'net', ...FEE_MEMBER_NAMES];

/** THE TABLE of mistakes that lines of a settlement file can have. */
export const LINE_MISTAKES: Readonly<Record<LineKind, LineMistake>> = {
  missing: {
    fits: any,
    spoil: ([first]) => ({ lines: [], field: 'line', expected: referenceOf(first), received: null }),
  },
  doubled: {
    fits: any,
    spoil: (taken) => {
      const again = taken.map(({ id, line }) => ({ id: `again-${id}`, line }));
      return { lines: [...taken, ...again], field: 'line', expected: 1, received: 2 };
    },
  },
  unknown: {
    fits: ({ paymentReference }) => paymentReference !== '',
    spoil: async (taken, { chance, isKnown }) => {
      const invented: NamedLine[] = [];
      for (const { id, line } of taken) {
        const paymentReference = await invent(line.paymentReference, chance, isKnown);
        const paymentId = await inventId(line, paymentReference, chance, isKnown);
        const recordId = await invent(line.recordId, about(chance, 'record'), isKnown);
        const entryId = await invent(line.entryId, about(chance, 'entry'), isKnown);
        invented.push({
          id: `unknown-${id}`,
          line: { ...line, paymentReference, paymentId, recordId, sourceId: recordId, entryId },
        });
      }
      const [added] = invented;
      return { lines: [...taken, ...invented], field: 'line', expected: null, received: referenceOf(added), added };
    },
  },
  'next-day': {
    fits: any,
    spoil: ([first]) => ({ lines: [], field: 'line', expected: referenceOf(first), received: null }),
    verdict: 'wait',
  },
  fee: changing('fee', any, withMoreFees),
  cent: changing('gross', any, (line, chance) => {
    const cent = line.gross > 1 && chance('sign') % 2 === 0 ? -1 : 1;
    return { gross: line.gross + cent, net: line.net + cent };
  }),
  date: changing('businessDate', any, (line, chance) => {
    const days = chance('sign') % 2 === 0 && parseInstant(line.occurredAt) > addDays(0, 1) ? -1 : 1;
    return {
      businessDate: dateAfter(line.businessDate, days),
      occurredAt: formatUtc(addDays(parseInstant(line.occurredAt), days)),
    };
  }),
  currency: changing('currency', any, ({ currency }) => ({ currency: currency === 'EUR' ? 'USD' : 'EUR' })),
  sign: changing(
    'net',
    ({ net }) => net !== 0,
    (line) => mapAmounts((name) => 0 - line[name]),
  ),
  reference: {
    fits: ({ paymentReference }) => paymentReference !== '',
    spoil: async ([first], { chance, isKnown }) => {
      const whole = referenceOf(first);
      const damaged: string[] = [];
      for (const each of ['', whole.slice(0, -2), whole.replace(/0+(?=\d)/, '')]) {
        if (each !== whole && !(await isKnown(each))) {
          damaged.push(each);
        }
      }
      const received = damaged[chance('damage') % damaged.length];
      if (!first || received === undefined) {
        return undefined;
      }
      const line = { ...first.line, paymentReference: received };
      return { lines: [{ id: first.id, line }], field: 'paymentReference', expected: whole, received };
    },
  },
  net: changing(
    'net',
    ({ fee }) => fee !== 0,
    ({ gross }) => ({ net: gross }),
  ),
  merged: {
    takes: 2,
    fits: any,
    spoil: (taken) => {
      const sum = mapAmounts((name) => taken.reduce((added, { line }) => added + line[name], 0));
      const merged = taken.slice(0, 1).map(({ id, line }) => ({ id: `merged-${id}`, line: { ...line, ...sum } }));
      const expected = taken.map(referenceOf).join(' + ');
      return { lines: merged, field: 'paymentReference', expected, received: referenceOf(merged[0]) };
    },
  },
  split: {
    fits: ({ gross }) => gross > 1,
    spoil: ([first]) => {
      const lines = first ? halvesOf(first) : [];
      return { lines, field: 'line', expected: 1, received: 2 };
    },
  },
  'status-conflict': {
    takes: 0,
    fits: any,
    spoil: async (_taken, { chance, isKnown, failed }) => {
      if (!failed) {
        return undefined;
      }
      // Nothing was booked for it, so that no entry of the ledger has this id.
      const entryId = await invent(failed.line.entryId, about(chance, 'entry'), isKnown);
      const added = { id: `failed-${failed.id}`, line: { ...failed.line, entryId } };
      return { lines: [added], field: 'state', expected: 'Failed', received: 'Paid', added };
    },
  },
  'corrected-file': { ...changing('fee', any, withMoreFees), verdict: 'wait' },
};

/** A higher fee, and so a lower net. */
function withMoreFees(line: FileLine): Partial<FileLine> {
  const more = Math.max(1, Math.round(Math.abs(line.gross) / 100));
  return { feeMarkUp: line.feeMarkUp - more, fee: line.fee - more, net: line.net - more };
}

/** Another chance for each member of a line. */
function about(chance: Chance, member: string): Chance {
  return (...words) => chance(member, ...words);
}

/** A mistake in members of one line; the field is the one that a finding names. */
function changing<Field extends keyof FileLine>(
  field: Field,
  fits: LineMistake['fits'],
  change: (line: FileLine, chance: Chance) => Partial<FileLine>,
): LineMistake {
  return {
    fits,
    spoil: ([first], { chance }) => {
      if (!first) {
        return { lines: [], field, expected: null, received: null };
      }
      const line = { ...first.line, ...change(first.line, chance) };
      return { lines: [{ id: first.id, line }], field, expected: first.line[field], received: line[field] };
    },
  };
}

function halvesOf({ id, line }: NamedLine): NamedLine[] {
  const half = mapAmounts((name) => Math.trunc(line[name] / 2));
  // A half may be rounded so that its own net would not be its gross and fee.
  const first = { ...half, fee: FEE_MEMBER_NAMES.reduce((sum, name) => sum + half[name], 0) };
  const one = { ...first, net: first.gross + first.fee };
  const other = mapAmounts((name) => line[name] - one[name]);
  return [
    { id: `first-${id}`, line: { ...line, ...one } },
    { id: `second-${id}`, line: { ...line, ...other } },
  ];
}

function mapAmounts(amountOf: (name: Amount) => number): Record<Amount, number> {
  return Object.fromEntries(AMOUNTS.map((name) => [name, amountOf(name)])) as Record<Amount, number>;
}

function referenceOf(named: NamedLine | undefined): string {
  return named?.line.paymentReference ?? '';
}

/** Some channels call a payment by its reference, and some lines have no id. */
async function inventId(
  { paymentId, paymentReference: booked }: FileLine,
  paymentReference: string,
  chance: Chance,
  isKnown: ReferenceCheck,
): Promise<string> {
  if (paymentId === booked) {
    return paymentReference;
  }
  return paymentId === '' ? '' : invent(paymentId, (...words) => chance('id', ...words), isKnown);
}
