import type { SettlementAnswerKey } from '../../../../base/schema/generated/control.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Steps } from '../../../../base/steps.ts';
import { latestVersion } from '../settlements/report-issues.ts';
import type { ShownLines } from './apply-mistakes.ts';
import { FILE_MISTAKES } from './file-mistakes.ts';
import {
  type ClosedSettlement,
  type FileLine,
  fileTotals,
  type LineWithId,
  type SettlementFile,
  settlementFile,
} from './settlement-file.ts';

/** The file as a merchant receives it. Totals are as booked or, with `follow`, sums of the shown lines; then mistakes of the file apply. */
export function* shownFile(
  settlement: ClosedSettlement,
  booked: readonly LineWithId[],
  shown: Pick<ShownLines, 'lines' | 'version' | 'fileMistakes'>,
): Steps<SettlementFile> {
  return (yield* fileWithMistakes(settlement, booked, shown)).file;
}

function* fileWithMistakes(
  settlement: ClosedSettlement,
  booked: readonly LineWithId[],
  { lines, version, fileMistakes }: Pick<ShownLines, 'lines' | 'version' | 'fileMistakes'>,
): Steps<{ file: SettlementFile; findings: SettlementAnswerKey['findings'] }> {
  const fileOfShownLines = yield* settlementFile(settlement, lines, version);
  const totalsFollowLines = settlement.mismatches?.totals === 'follow';
  const totals = totalsFollowLines ? sumShownLines(fileOfShownLines) : fileTotals(settlement, booked);
  let file = { ...fileOfShownLines, totals };
  const findings: SettlementAnswerKey['findings'] = [];
  for (const { kind, randomNumber } of fileMistakes) {
    const result = FILE_MISTAKES[kind].apply(file, settlement, randomNumber);
    const { field, expected, shown, verdict = 'investigate' } = result;
    file = result.file;
    const commonMembers = { kind, paymentId: '', reference: settlement.id, shownLines: [] };
    findings.push({ ...commonMembers, field, expected, shown, difference: 0, verdict, resolvedIn: null });
  }
  return { file, findings };
}

/** The findings that a reconciliation of the shown file should report, and decoys. `next` is the next settlement, if it is closed. */
export function* answerKey(
  settlement: ClosedSettlement,
  booked: readonly LineWithId[],
  shown: ShownLines,
  { seed, next }: { seed: string; next: Settlement | undefined },
): Steps<Omit<SettlementAnswerKey, 'statement'>> {
  const { file, findings: fileFindings } = yield* fileWithMistakes(settlement, booked, shown);
  const numberOf = (id: string) => shown.lines.findIndex((each) => each.id === id) + 1;
  const resolvedIn: Partial<Record<string, string | null>> = {
    'next-day': next?.id ?? null,
    'corrected-file': latestVersion(settlement) > 1 ? settlement.id : null,
  };
  const findings = shown.findings.map(({ shownIds, ...finding }) => ({
    ...finding,
    shownLines: shownIds.map(numberOf),
    resolvedIn: resolvedIn[finding.kind] ?? finding.resolvedIn,
  }));
  const wrongNumbers = new Set(findings.flatMap(({ shownLines }) => shownLines));
  return {
    settlementId: settlement.id,
    version: shown.version,
    seed,
    totals: settlement.mismatches?.totals ?? 'stay',
    findings: [...findings, ...fileFindings],
    decoys: yield* decoysIn(
      file.lines.filter(({ line: number }) => !wrongNumbers.has(number)),
      file.totals,
    ),
    skipped: shown.skipped,
    booked: fileTotals(settlement, booked),
    shown: file.totals,
  };
}

function sumShownLines({ lines, totals }: SettlementFile): SettlementFile['totals'] {
  const { carriedIn, carriedOut, invoiced } = totals;
  const sum = (name: 'gross' | 'fee' | 'net') => lines.reduce((total, line) => total + line[name], 0);
  const net = sum('net');
  const transferred = carriedIn + net - carriedOut - invoiced;
  return { ...totals, count: lines.length, gross: sum('gross'), fee: sum('fee'), net, transferred };
}

/** Correct data that looks wrong: equal lines (an order paid twice, equal shares), carried-over amounts, fees that exceed the amount. */
function* decoysIn(
  lines: readonly FileLine[],
  { carriedIn, carriedOut }: SettlementFile['totals'],
): Steps<SettlementAnswerKey['decoys']> {
  const groups = new Map<string, number[]>();
  for (const { line: number, lineType, paymentReference, gross } of lines) {
    const key = `${lineType} ${paymentReference} ${gross}`;
    groups.set(key, [...(groups.get(key) ?? []), number]);
    yield;
  }
  const twins = [...groups.values()].filter((numbers) => numbers.length > 1);
  const linesWith = (isDecoy: (line: FileLine) => boolean) => lines.filter(isDecoy).map(({ line: number }) => [number]);
  const linesByKind = {
    twins,
    'carried-over': carriedIn === 0 && carriedOut === 0 ? [] : [[]],
    'negative-net': linesWith(({ lineType, net }) => net < 0 && (lineType === 'payment' || lineType === 'share')),
  };
  return Object.entries(linesByKind).flatMap(([kind, groupsOfKind]) =>
    groupsOfKind.map((shownLines) => ({ kind: kind as keyof typeof linesByKind, shownLines })),
  );
}
