import { dateAfter } from '../../../../base/calendar.ts';
import type { SettlementMistake } from '../../../../base/schema/generated/records.ts';
import { addDays, formatUtc, parseInstant } from '../../../../base/time.ts';
import type { FileMistakeKind } from './file-mistakes.ts';
import { inventReference, type ReferenceCheck, type SeededRandom } from './invent-reference.ts';
import { FEE_MEMBER_NAMES, type FeeMember, type FileLine, type LineWithId } from './settlement-file.ts';

export type LineMistakeKind = Exclude<SettlementMistake, FileMistakeKind>;

/** The lines with which a mistake replaces booked ones, and the facts of its finding. */
export interface MistakenLines {
  lines: LineWithId[];
  field: string;
  expected: string | number | null;
  shown: string | number | null;
  /** A wrong line that the mistake adds. The finding then concerns only this line, otherwise all of `lines`. */
  added?: LineWithId | undefined;
}

export interface LineMistakeInput {
  random: SeededRandom;
  isKnown: ReferenceCheck;
  /** The line that a failed payment would have if it had been paid; undefined if none failed. */
  failedLine: LineWithId | undefined;
}

interface LineMistake {
  /** Number of booked lines that `apply` gets and replaces. Default: 1. */
  lineCount?: number;
  /** The correct reaction of a reconciliation. Default: investigate. */
  verdict?: 'wait';
  fits(line: FileLine): boolean;
  /** Returns undefined if the mistake cannot be made with these lines. */
  apply(lines: LineWithId[], input: LineMistakeInput): MistakenLines | undefined | Promise<MistakenLines | undefined>;
}

const anyLine = () => true;
type Amount = 'gross' | 'fee' | 'net' | FeeMember;
const AMOUNTS: readonly Amount[] = ['gross', 'fee', 'net', ...FEE_MEMBER_NAMES];

/** THE TABLE of mistakes in lines. */
export const LINE_MISTAKES: Readonly<Record<LineMistakeKind, LineMistake>> = {
  missing: {
    fits: anyLine,
    apply: ([first]) => ({ lines: [], field: 'line', expected: referenceOf(first), shown: null }),
  },
  doubled: {
    fits: anyLine,
    apply: (booked) => {
      const duplicates = booked.map(({ id, line }) => ({ id: `again-${id}`, line }));
      return { lines: [...booked, ...duplicates], field: 'line', expected: 1, shown: 2 };
    },
  },
  unknown: {
    fits: ({ paymentReference }) => paymentReference !== '',
    apply: async (booked, { random, isKnown }) => {
      const inventedLines: LineWithId[] = [];
      for (const { id, line } of booked) {
        const paymentReference = await inventReference(line.paymentReference, random, isKnown);
        const paymentId = await inventId(line, paymentReference, random, isKnown);
        const recordId = await inventReference(line.recordId, randomFor(random, 'record'), isKnown);
        const entryId = await inventReference(line.entryId, randomFor(random, 'entry'), isKnown);
        inventedLines.push({
          id: `unknown-${id}`,
          line: { ...line, paymentReference, paymentId, recordId, sourceId: recordId, entryId },
        });
      }
      const [added] = inventedLines;
      return { lines: [...booked, ...inventedLines], field: 'line', expected: null, shown: referenceOf(added), added };
    },
  },
  'next-day': {
    fits: anyLine,
    apply: ([first]) => ({ lines: [], field: 'line', expected: referenceOf(first), shown: null }),
    verdict: 'wait',
  },
  fee: memberMistake('fee', anyLine, withMoreFees),
  cent: memberMistake('gross', anyLine, (line, random) => {
    const cent = line.gross > 1 && random('sign') % 2 === 0 ? -1 : 1;
    return { gross: line.gross + cent, net: line.net + cent };
  }),
  date: memberMistake('businessDate', anyLine, (line, random) => {
    // Not moved to a date before 1970.
    const days = random('sign') % 2 === 0 && parseInstant(line.occurredAt) > addDays(0, 1) ? -1 : 1;
    return {
      businessDate: dateAfter(line.businessDate, days),
      occurredAt: formatUtc(addDays(parseInstant(line.occurredAt), days)),
    };
  }),
  currency: memberMistake('currency', anyLine, ({ currency }) => ({ currency: currency === 'EUR' ? 'USD' : 'EUR' })),
  sign: memberMistake(
    'net',
    ({ net }) => net !== 0,
    (line) => mapAmounts((name) => 0 - line[name]),
  ),
  reference: {
    fits: ({ paymentReference }) => paymentReference !== '',
    apply: async ([first], { random, isKnown }) => {
      const reference = referenceOf(first);
      const damagedReferences: string[] = [];
      for (const each of ['', reference.slice(0, -2), reference.replace(/0+(?=\d)/, '')]) {
        if (each !== reference && !(await isKnown(each))) {
          damagedReferences.push(each);
        }
      }
      const damaged = damagedReferences[random('damage') % damagedReferences.length];
      if (!first || damaged === undefined) {
        return undefined;
      }
      const line = { ...first.line, paymentReference: damaged };
      return { lines: [{ id: first.id, line }], field: 'paymentReference', expected: reference, shown: damaged };
    },
  },
  net: memberMistake(
    'net',
    ({ fee }) => fee !== 0,
    ({ gross }) => ({ net: gross }),
  ),
  merged: {
    lineCount: 2,
    fits: anyLine,
    apply: (booked) => {
      const sum = mapAmounts((name) => booked.reduce((added, { line }) => added + line[name], 0));
      const mergedLines = booked.slice(0, 1).map(({ id, line }) => ({ id: `merged-${id}`, line: { ...line, ...sum } }));
      const expected = booked.map(referenceOf).join(' + ');
      return { lines: mergedLines, field: 'paymentReference', expected, shown: referenceOf(mergedLines[0]) };
    },
  },
  split: {
    fits: ({ gross }) => gross > 1,
    apply: ([first]) => {
      const lines = first ? halvesOf(first) : [];
      return { lines, field: 'line', expected: 1, shown: 2 };
    },
  },
  'status-conflict': {
    lineCount: 0,
    fits: anyLine,
    apply: async (_replaced, { random, isKnown, failedLine }) => {
      if (!failedLine) {
        return undefined;
      }
      // Invented, because the ledger has no entry for a failed payment.
      const entryId = await inventReference(failedLine.line.entryId, randomFor(random, 'entry'), isKnown);
      const added = { id: `failed-${failedLine.id}`, line: { ...failedLine.line, entryId } };
      return { lines: [added], field: 'state', expected: 'Failed', shown: 'Paid', added };
    },
  },
  'corrected-file': { ...memberMistake('fee', anyLine, withMoreFees), verdict: 'wait' },
};

/** Fees are negative: more fees lower them, and the net. */
function withMoreFees(line: FileLine): Partial<FileLine> {
  const extraFee = Math.max(1, Math.round(Math.abs(line.gross) / 100));
  return { feeMarkUp: line.feeMarkUp - extraFee, fee: line.fee - extraFee, net: line.net - extraFee };
}

/** A separate source of numbers for a member of a line. */
function randomFor(random: SeededRandom, member: string): SeededRandom {
  return (...words) => random(member, ...words);
}

/** A mistake that changes members of one line; `field` is the one that the finding names. */
function memberMistake<Field extends keyof FileLine>(
  field: Field,
  fits: LineMistake['fits'],
  change: (line: FileLine, random: SeededRandom) => Partial<FileLine>,
): LineMistake {
  return {
    fits,
    apply: ([first], { random }) => {
      if (!first) {
        return { lines: [], field, expected: null, shown: null };
      }
      const line = { ...first.line, ...change(first.line, random) };
      return { lines: [{ id: first.id, line }], field, expected: first.line[field], shown: line[field] };
    },
  };
}

function halvesOf({ id, line }: LineWithId): LineWithId[] {
  const rounded = mapAmounts((name) => Math.trunc(line[name] / 2));
  // Computed from the rounded parts, because otherwise the net of a half might not be the sum of its gross and fee.
  const fee = FEE_MEMBER_NAMES.reduce((sum, name) => sum + rounded[name], 0);
  const firstHalf = { ...rounded, fee, net: rounded.gross + fee };
  const secondHalf = mapAmounts((name) => line[name] - firstHalf[name]);
  return [
    { id: `first-${id}`, line: { ...line, ...firstHalf } },
    { id: `second-${id}`, line: { ...line, ...secondHalf } },
  ];
}

function mapAmounts(amountOf: (name: Amount) => number): Record<Amount, number> {
  return Object.fromEntries(AMOUNTS.map((name) => [name, amountOf(name)])) as Record<Amount, number>;
}

function referenceOf(lineWithId: LineWithId | undefined): string {
  return lineWithId?.line.paymentReference ?? '';
}

/** An invented paymentId. On some channels it equals the reference, and some lines have none. */
async function inventId(
  { paymentId, paymentReference: booked }: FileLine,
  paymentReference: string,
  random: SeededRandom,
  isKnown: ReferenceCheck,
): Promise<string> {
  if (paymentId === booked) {
    return paymentReference;
  }
  return paymentId === '' ? '' : inventReference(paymentId, randomFor(random, 'id'), isKnown);
}
