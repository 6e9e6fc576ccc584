import { mapInTurns } from '../../../../base/run-in-turns.ts';
import type { SettlementAnswerKey, SettlementMistake } from '../../../../base/schema/generated/control.ts';
import { draw } from './draw.ts';
import { FILE_MISTAKES, type FileMistakeKind, isFileMistake } from './file-mistakes.ts';
import type { ReferenceCheck } from './invent-reference.ts';
import { LINE_MISTAKES, type LineMistakeInput, type LineMistakeKind, type MistakenLines } from './line-mistakes.ts';
import type { ClosedSettlement, LineWithId } from './settlement-file.ts';

type AnswerKeyFinding = SettlementAnswerKey['findings'][number];
/** A finding, with the ids of the shown lines that it concerns. */
export type MistakeFinding = Omit<AnswerKeyFinding, 'shownLines'> & { shownIds: string[] };

export interface ShownLines {
  version: number;
  lines: LineWithId[];
  findings: MistakeFinding[];
  /** The mistakes of the file as a whole, each with its pseudorandom number. */
  fileMistakes: { kind: FileMistakeKind; randomNumber: number }[];
  skipped: SettlementMistake[];
  /** Lines that are omitted here, and shown in the next file. */
  postponed: LineWithId[];
}

/** Makes a settlement's planned mistakes, in suitable lines with the smallest hashes of seed, settlement, kind and line. */
export async function applyMistakes(
  settlement: ClosedSettlement,
  booked: readonly LineWithId[],
  { seed, isKnown, late = [], failedLine, version = 1 }: FileInput,
): Promise<ShownLines> {
  const { id, mismatches } = settlement;
  const result: ShownLines = {
    version,
    lines: [...booked],
    findings: [],
    fileMistakes: [],
    skipped: [],
    postponed: [],
  };
  const available = new Set(booked.filter(isPayment));
  for (const kind of putCorrectionFirst(mismatches?.kinds ?? [])) {
    const random = (...words: string[]) => draw(seed, id, kind, ...words);
    if (!isFileMistake(kind)) {
      const applied = await applyLineMistake(kind, available, { random, isKnown, failedLine });
      if (!applied) {
        result.skipped.push(kind);
      } else if (kind !== CORRECTED_FILE || version === 1) {
        // Version 2 omits the corrected mistake, but its line stays unavailable, so that the other mistakes are in the same lines.
        swapLines(result, kind, applied.replaced, applied.mistaken);
      }
    } else if (FILE_MISTAKES[kind].fits(settlement)) {
      result.fileMistakes.push({ kind, randomNumber: random() });
    } else {
      result.skipped.push(kind);
    }
  }
  return addLateLines(result, late);
}

interface FileInput {
  seed: string;
  isKnown: ReferenceCheck;
  /** The lines that the previous file omitted, and this one shows late. */
  late?: readonly LineWithId[];
  failedLine?: LineWithId | undefined;
  /** Version 2 corrects the mistake `corrected-file` of version 1. */
  version?: number;
}

const CORRECTED_FILE: SettlementMistake = 'corrected-file';

/** Puts `corrected-file` first, because otherwise another mistake could use the only line that it fits. */
function putCorrectionFirst(kinds: readonly SettlementMistake[]): readonly SettlementMistake[] {
  return kinds.includes(CORRECTED_FILE) ? [CORRECTED_FILE, ...kinds.filter((kind) => kind !== CORRECTED_FILE)] : kinds;
}

/** Removes the replaced lines from `available`. Returns undefined if the mistake cannot be made. */
async function applyLineMistake(
  kind: LineMistakeKind,
  available: Set<LineWithId>,
  input: LineMistakeInput,
): Promise<{ replaced: LineWithId[]; mistaken: MistakenLines } | undefined> {
  const { random } = input;
  const { fits, apply, lineCount = 1 } = LINE_MISTAKES[kind];
  const fittingLines = [...available].filter(({ line }) => fits(line));
  const ordered = await mapInTurns(fittingLines, (each) => ({ each, order: random(each.id) }));
  const candidates = ordered.sort((one, other) => one.order - other.order).map(({ each }) => each);
  // A mistake that replaces no line is tried once.
  const lastStart = lineCount === 0 ? 0 : candidates.length - lineCount;
  for (let start = 0; start <= lastStart; start += 1) {
    const replaced = candidates.slice(start, start + lineCount);
    const mistaken = await apply(replaced, input);
    if (mistaken) {
      for (const each of replaced) {
        available.delete(each);
      }
      return { replaced, mistaken };
    }
  }
  return undefined;
}

/** Mistakes are made only in lines of payments. */
function isPayment({ line }: LineWithId): boolean {
  return line.lineType === 'payment' || line.lineType === 'share';
}

/** Puts the lines of a mistake in place of the booked ones that it replaces: at the index of the first, or at the end. */
function swapLines(result: ShownLines, kind: LineMistakeKind, booked: LineWithId[], mistaken: MistakenLines): void {
  const { lines, field, expected, shown, added } = mistaken;
  const [first = added] = booked;
  const index = result.lines.findIndex(({ id }) => id === first?.id);
  const others = result.lines.filter((each) => !booked.includes(each));
  const target = index === -1 ? others.length : index;
  result.lines = [...others.slice(0, target), ...lines, ...others.slice(target)];
  result.postponed.push(...(kind === 'next-day' ? booked : []));
  const subjectLine = added ?? first;
  result.findings.push({
    kind,
    paymentId: subjectLine?.line.paymentId ?? '',
    reference: subjectLine?.line.paymentReference ?? '',
    shownIds: (added ? [added] : lines).map(({ id }) => id),
    field,
    expected,
    shown,
    difference: sumOfNets(lines) - sumOfNets(booked),
    verdict: LINE_MISTAKES[kind].verdict ?? 'investigate',
    resolvedIn: null,
  });
}

function addLateLines(shown: ShownLines, late: readonly LineWithId[]): ShownLines {
  const lines = late.map(({ id, line }) => ({ id: `late-${id}`, line }));
  const findings = lines.map(({ id, line }): MistakeFinding => {
    const { paymentId, paymentReference: reference, net: difference } = line;
    const facts = { paymentId, reference, shownIds: [id], field: 'line', expected: null, shown: reference, difference };
    return { kind: 'late', ...facts, verdict: 'ignore', resolvedIn: null };
  });
  return { ...shown, lines: [...lines, ...shown.lines], findings: [...shown.findings, ...findings] };
}

function sumOfNets(lines: readonly LineWithId[]): number {
  return lines.reduce((sum, { line }) => sum + line.net, 0);
}
