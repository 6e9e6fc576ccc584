import fc from 'fast-check';
import type { SettlementMistake } from '../../../../../src/base/schema/generated/records.ts';
import { runSteps } from '../../../../../src/base/steps.ts';
import { answerKey, shownFile } from '../../../../../src/server/domain/books/settlement-files/answer-key.ts';
import { applyMistakes } from '../../../../../src/server/domain/books/settlement-files/apply-mistakes.ts';
import { FILE_MISTAKES, isFileMistake } from '../../../../../src/server/domain/books/settlement-files/file-mistakes.ts';
import { LINE_MISTAKES } from '../../../../../src/server/domain/books/settlement-files/line-mistakes.ts';
import {
  type ClosedSettlement,
  FEE_MEMBER_NAMES,
  type FileLine,
  type LineWithId,
  settlementFile,
} from '../../../../../src/server/domain/books/settlement-files/settlement-file.ts';
import { cases } from '../../../../cases.ts';

const KINDS = [...Object.keys(LINE_MISTAKES), ...Object.keys(FILE_MISTAKES)] as SettlementMistake[];
const DAY = Date.parse('2026-03-01T10:00:00Z');

function lineOf(number: number, gross: number, fee: number): LineWithId {
  const line: FileLine = {
    line: 0,
    lineType: number % 5 === 4 ? 'share' : 'payment',
    occurredAt: new Date(DAY + number * 1000).toISOString(),
    businessDate: '2026-03-01',
    recordId: `payment-${number}`,
    sourceId: `payment-${number}`,
    entryId: `entry-${number}`,
    paymentReference: `ORDER-${1000 + number}`,
    paymentId: `A${number}B0`,
    originalReference: '',
    channel: 'qr-wallet',
    currency: 'USD',
    gross,
    fee: 0 - fee,
    net: gross - fee,
    feeMarkUp: 0,
    feeServiceProvider: 0 - fee,
    feeGateway: 0,
    feePayout: 0,
    feeChargeback: 0,
    code: '00',
    description: '',
  };
  return { id: `${number}-0`, line };
}

function settlementWith(
  lines: readonly LineWithId[],
  kinds: SettlementMistake[],
  totals: 'stay' | 'follow',
): ClosedSettlement {
  const sum = (name: 'gross' | 'fee' | 'net') => lines.reduce((added, { line }) => added + line[name], 0);
  const sums = { count: lines.length, gross: sum('gross'), fee: sum('fee'), net: sum('net') };
  return {
    id: 'settlement-1',
    createdAt: DAY,
    merchantId: 'M-1000',
    environment: 'sandbox',
    currency: 'USD',
    businessDate: '2026-03-01',
    sequence: 1,
    cutOff: DAY + 1e7,
    bank: { bankBICCode: 'FSBKZZ22', accountNumber: '1' },
    latestOf: null,
    previous: null,
    firstMove: 1,
    throughMove: 99,
    first: {},
    last: {},
    totals: { ...sums, carriedIn: 0, transferred: sums.net, carriedOut: 0, types: {} },
    valueDate: '2026-03-02',
    state: 'InTransit',
    dueAt: null,
    history: [],
    ...(kinds.length > 0 ? { mismatches: { kinds, totals } } : {}),
  };
}

const anyLines = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 300 })), { maxLength: 20 })
  .map((all) => all.map(([gross, fee], number) => lineOf(number, gross, fee)));
const anyKinds = fc.uniqueArray(fc.constantFrom(...KINDS), { maxLength: KINDS.length });
/** The line that a failed payment would have if it had been paid. */
const FAILED = lineOf(77, 5000, 220);
const NOTHING_KNOWN = async () => false;
const netOf = (lines: readonly FileLine[]) => lines.reduce((sum, { net }) => sum + net, 0);

it('the answer key explains every difference between the shown and the booked file, and no other line is changed', () => {
  return fc.assert(
    fc.asyncProperty(
      anyLines,
      anyKinds,
      fc.constantFrom('stay', 'follow'),
      fc.string(),
      fc.option(fc.constant(FAILED), { nil: undefined }),
      async (lines, kinds, mode, seed, failed) => {
        const settlement = settlementWith(lines, kinds, mode);
        const shown = await applyMistakes(settlement, lines, { seed, isKnown: NOTHING_KNOWN, failedLine: failed });
        const file = runSteps(shownFile(settlement, lines, shown));
        const bookedFile = runSteps(settlementFile(settlement, lines));
        const key = runSteps(answerKey(settlement, lines, shown, { seed, next: undefined }));
        expect(key.findings.map(({ kind }) => kind).concat(key.skipped as never)).toHaveLength(kinds.length);
        expect(new Set([...key.findings.map(({ kind }) => kind), ...key.skipped])).toEqual(new Set(kinds));
        const differences = key.findings.reduce((sum, { difference }) => sum + difference, 0);
        expect(netOf(file.lines) - netOf(bookedFile.lines)).toBe(differences);
        const hidden = key.findings.find(({ kind }) => kind === 'hidden-adjustment');
        const hiddenAmount = hidden ? Number(hidden.expected) - Number(hidden.shown) : 0;
        expect([hidden !== undefined, file.totals.transferred + hiddenAmount]).toEqual([
          hiddenAmount > 0,
          mode === 'follow' ? netOf(file.lines) : bookedFile.totals.transferred,
        ]);
        if (mode === 'stay') {
          expect({ ...file.totals, transferred: bookedFile.totals.transferred }).toEqual(bookedFile.totals);
        }
        const layout = key.findings.some(({ kind }) => kind === 'new-layout') ? 2 : 1;
        expect(file.header).toEqual({ ...bookedFile.header, layout });
        // In each line and in the totals, fees by kind add up to the fee, whatever the mistakes.
        for (const each of [...file.lines, file.totals]) {
          expect(FEE_MEMBER_NAMES.reduce((sum, name) => sum + each[name], 0)).toBe(each.fee);
        }
        // Without the lines that findings name, both files are the same.
        const wrongLines = new Set(key.findings.flatMap(({ shownLines: numbers }) => numbers));
        const correctLines = file.lines
          .filter(({ line }) => !wrongLines.has(line))
          .map(({ line: _, ...members }) => members);
        const bookedLines = bookedFile.lines.map(({ line: _, ...members }) => members);
        const missingLines = bookedLines.filter(
          (line) => !correctLines.some((each) => JSON.stringify(each) === JSON.stringify(line)),
        );
        const replacedCount = key.findings.reduce(
          (count, { kind }) => count + replacedLineCount(kind as SettlementMistake),
          0,
        );
        expect(correctLines).toHaveLength(bookedLines.length - replacedCount);
        expect(missingLines).toHaveLength(replacedCount);
      },
    ),
    { numRuns: cases(300) },
  );
});

function replacedLineCount(kind: SettlementMistake): number {
  return kind === 'unknown' || isFileMistake(kind) ? 0 : (LINE_MISTAKES[kind].lineCount ?? 1);
}

it('version 2 of a file has the mistakes of version 1, except the one that it corrects', () => {
  return fc.assert(
    fc.asyncProperty(anyLines, anyKinds, fc.string(), async (lines, others, seed) => {
      const kinds: SettlementMistake[] = [...new Set<SettlementMistake>([...others, 'corrected-file'])];
      const settlement = settlementWith(lines, kinds, 'stay');
      const keyOf = async (version: number) => {
        const shown = await applyMistakes(settlement, lines, {
          seed,
          isKnown: NOTHING_KNOWN,
          failedLine: FAILED,
          version,
        });
        return runSteps(answerKey(settlement, lines, shown, { seed, next: undefined }));
      };
      const [first, second] = [await keyOf(1), await keyOf(2)];
      const otherFindings = first.findings.filter(({ kind }) => kind !== 'corrected-file');
      expect(first.findings).toHaveLength(otherFindings.length + (lines.length > 0 ? 1 : 0));
      expect([second.findings, second.skipped]).toEqual([otherFindings, first.skipped]);
      const correctedOnly = settlementWith(lines, ['corrected-file'], 'follow');
      const corrected = await applyMistakes(correctedOnly, lines, { seed, isKnown: NOTHING_KNOWN, version: 2 });
      expect(runSteps(shownFile(correctedOnly, lines, corrected))).toEqual(
        runSteps(settlementFile(correctedOnly, lines, 2)),
      );
    }),
    { numRuns: cases(100) },
  );
});

it('impossible mistakes are skipped, such as a new layout in a file that already has it', async () => {
  const plain = settlementWith([], ['new-layout', 'hidden-adjustment', 'status-conflict', 'file-again'], 'stay');
  const shown = await applyMistakes({ ...plain, layout: 2 }, [], { seed: 'seed', isKnown: NOTHING_KNOWN });
  expect([shown.skipped, shown.fileMistakes.map(({ kind }) => kind)]).toEqual([
    ['new-layout', 'hidden-adjustment', 'status-conflict'],
    ['file-again'],
  ]);
});

it('a seed always changes the same lines, and another seed changes others', async () => {
  const lines = Array.from({ length: 40 }, (_, number) => lineOf(number, 1000 + number, 240));
  const settlement = settlementWith(lines, KINDS, 'stay');
  const shownBy = (seed: string) => applyMistakes(settlement, lines, { seed, isKnown: NOTHING_KNOWN });
  expect(await shownBy('one')).toEqual(await shownBy('one'));
  expect(await shownBy('one')).not.toEqual(await shownBy('two'));
});

it('the booked lines are shown if no mistake is planned, and mistakes for which too few lines are left are skipped', async () => {
  const lines = [lineOf(1, 1000, 240)];
  const shownWith = (kinds: SettlementMistake[]) =>
    applyMistakes(settlementWith(lines, kinds, 'stay'), lines, { seed: 'seed', isKnown: NOTHING_KNOWN });
  expect((await shownWith([])).lines).toEqual(lines);
  const shown = await shownWith(['merged', 'missing', 'cent']);
  expect([shown.lines, shown.skipped]).toEqual([[], ['merged', 'cent']]);
});

it('the answer key names decoys: a carried-over amount, an order paid twice, a payment with fees above its amount', async () => {
  const twin = lineOf(1, 1000, 240);
  const lines = [twin, { ...twin, id: '2-0' }, lineOf(3, 100, 204)];
  const plain = settlementWith(lines, [], 'stay');
  const settlement = { ...plain, totals: { ...plain.totals, carriedIn: -104 } };
  const shown = await applyMistakes(settlement, lines, { seed: 's', isKnown: NOTHING_KNOWN });
  const { decoys } = runSteps(answerKey(settlement, lines, shown, { seed: 's', next: undefined }));
  expect(decoys).toEqual([
    { kind: 'twins', shownLines: [1, 2] },
    { kind: 'carried-over', shownLines: [] },
    { kind: 'negative-net', shownLines: [3] },
  ]);
});
