import fc from 'fast-check';
import { runSteps } from '../../../../src/base/steps.ts';
import {
  groupLines,
  settlementBooksOf,
  sumOf,
  waterfallOf,
} from '../../../../src/console/screens/settlements/figures.ts';
import { viewSettlement } from '../../../../src/server/control-api/book-views.ts';
import {
  FEE_MEMBER_NAMES,
  lineWithId,
  type SettlementFile,
  settlementFile,
} from '../../../../src/server/domain/books/settlement-files/settlement-file.ts';
import { cases } from '../../../cases.ts';
import { anyFeeTerms, openBooks } from '../../../server/domain/books/books-under-test.ts';
import { anyStep, linesIn, playSteps, settlementsOf } from '../../../server/domain/books/settlements/random-steps.ts';
import type { Workbench } from '../../../server/domain/workbench.ts';

const anyNegativeBalance = fc.constantFrom<'carry' | 'collect' | 'invoice'>('carry', 'collect', 'invoice');

async function filesOf(bench: Workbench): Promise<SettlementFile[]> {
  const files: SettlementFile[] = [];
  for (const settlement of await settlementsOf(bench)) {
    const { totals } = settlement;
    if (totals) {
      const closed = { ...settlement, totals };
      const lines = await linesIn(bench, settlement);
      files.push(
        runSteps(
          settlementFile(
            closed,
            lines.map((line) => lineWithId(closed, line)),
          ),
        ),
      );
    }
  }
  return files;
}

/** Groups contain every line once. Their columns, and the bars, add up to the totals of the file. */
function checkFile(file: SettlementFile): void {
  const { lines, totals } = file;
  const groups = groupLines(lines);
  const shownLines = groups.flatMap((group) => group.lines.map(({ line }) => line));
  expect(shownLines.sort((one, other) => one - other)).toEqual(lines.map(({ line }) => line));
  for (const group of groups) {
    expect(sumOf(group.lines)).toEqual({ gross: group.gross, fee: group.fee, net: group.net });
    expect(group.gross + group.fee).toBe(group.net);
  }
  const total = sumOf(groups);
  expect(total).toEqual({ gross: totals.gross, fee: totals.fee, net: totals.net });
  expect(totals.carriedIn + total.net).toBe(totals.transferred + totals.carriedOut + totals.invoiced);
  const bars = waterfallOf(file);
  let level = 0;
  for (const { from, to, amount, isTotal } of bars) {
    expect([from, to]).toEqual(isTotal ? [0, level] : [level, level + amount]);
    level = to;
  }
  expect(bars.filter(({ isTotal }) => isTotal).map(({ label, amount }) => [label, amount])).toEqual([
    ['Gross', totals.gross],
    ['Net', totals.net],
    ['Transferred', totals.transferred],
  ]);
}

/** Every line names its record, source and ledger entry, and its fees add up. Lines of a kind with the same entry have one source. */
function checkIds({ lines }: SettlementFile): void {
  const names = lines.map(({ lineType, sourceId, entryId }) => `${lineType} ${sourceId} ${entryId}`);
  expect(lines.filter(({ recordId, sourceId, entryId }) => !(recordId && sourceId && entryId))).toEqual([]);
  // A merchant may have several shares of one payment.
  expect(new Set(names).size).toBe(new Set(lines.map(({ lineType, entryId }) => `${lineType} ${entryId}`)).size);
  for (const line of lines) {
    expect(FEE_MEMBER_NAMES.reduce((sum, name) => sum + line[name], 0)).toBe(line.fee);
  }
}

it('every column adds up, from lines to the transferred amount, and lines name their records and entries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 25 }),
      anyFeeTerms,
      anyNegativeBalance,
      async (steps, terms, negativeBalance) => {
        const bench = await openBooks(terms);
        bench.fixtures = { ...bench.fixtures, settlement: { ...bench.fixtures.settlement, negativeBalance } };
        await playSteps(bench, [...steps, { kind: 'close' }]);
        for (const file of await filesOf(bench)) {
          checkFile(file);
          checkIds(file);
        }
        const settlements = (await settlementsOf(bench)).map(viewSettlement);
        const books = settlementBooksOf(settlements);
        expect(books.flatMap((book) => book.settlements.map(({ settlement }) => settlement.id)).sort()).toEqual(
          settlements.map(({ id }) => id).sort(),
        );
        for (const { settlements: listed, total } of books) {
          const rows = listed.flatMap(({ row }) => row ?? []);
          for (const row of [...rows, total]) {
            expect(row.gross + row.fee).toBe(row.net);
            expect(row.net + row.carried + row.invoiced + row.returned).toBe(row.transferred);
          }
          for (const name of ['gross', 'fee', 'net', 'carried', 'invoiced', 'returned', 'transferred'] as const) {
            expect(rows.reduce((sum, row) => sum + row[name], 0)).toBe(total[name]);
          }
        }
      },
    ),
    { numRuns: cases(60) },
  );
});
