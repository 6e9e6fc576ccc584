import { mapInTurns } from '../../../../base/run-in-turns.ts';
import type { SettlementAnswerKey, SettlementMistake } from '../../../../base/schema/generated/control.ts';
import { draw } from './draw.ts';
import type { ClosedSettlement, NamedLine } from './file.ts';
import { FILE_MISTAKES, type FileKind, isFileKind } from './file-mistakes.ts';
import type { ReferenceCheck } from './invent.ts';
import { LINE_MISTAKES, type LineKind, type MistakenLines, type Sources } from './line-mistakes.ts';

type AnswerKeyFinding = SettlementAnswerKey['findings'][number];
/** A difference, by the names of the lines that are shown in place of the booked ones. */
export type MistakeFinding = Omit<AnswerKeyFinding, 'shownLines'> & { shownIds: string[] };

export interface MistakenFile {
  version: number;
  lines: NamedLine[];
  findings: MistakeFinding[];
  /** What is wrong with the file as a whole, each with a number drawn for it. */
  fileMistakes: { kind: FileKind; drawn: number }[];
  skipped: SettlementMistake[];
  /** What is left for the next file to show. */
  postponed: NamedLine[];
}

/**
 * The lines of a file as a merchant gets them. Each kind of mistake takes one line that it fits and that no other took: the one
 * for which a hash of seed, settlement, kind and line is least. What the file before left for this one comes first. What is
 * invented is nowhere in the session, or it would be no mistake.
 */
export async function shownLines(
  settlement: ClosedSettlement,
  booked: readonly NamedLine[],
  { seed, isKnown, late = [], failed, version = 1 }: Facts,
): Promise<MistakenFile> {
  const { id, mismatches } = settlement;
  const shown: MistakenFile = {
    version,
    lines: [...booked],
    findings: [],
    fileMistakes: [],
    skipped: [],
    postponed: [],
  };
  const free = new Set(booked.filter(isPayment));
  for (const kind of inOrder(mismatches?.kinds ?? [])) {
    const chance = (...words: string[]) => draw(seed, id, kind, ...words);
    if (!isFileKind(kind)) {
      const found = await choose(kind, free, { chance, isKnown, failed });
      if (!found) {
        shown.skipped.push(kind);
      } else if (kind !== CORRECTED || version === 1) {
        follow(shown, kind, found.taken, found.mistaken);
      }
    } else if (FILE_MISTAKES[kind].fits(settlement)) {
      shown.fileMistakes.push({ kind, drawn: chance() });
    } else {
      shown.skipped.push(kind);
    }
  }
  return withLate(shown, late);
}

/** What the lines that are shown depend on, besides the settlement and what is booked. */
interface Facts {
  seed: string;
  isKnown: ReferenceCheck;
  /** What the file before left for this one. */
  late?: readonly NamedLine[];
  failed?: NamedLine | undefined;
  /** From 2 on, what the first version had wrong on purpose is corrected. */
  version?: number;
}

const CORRECTED: SettlementMistake = 'corrected-file';

/** A correction comes first: there is one wherever there is a line to correct. */
function inOrder(kinds: readonly SettlementMistake[]): readonly SettlementMistake[] {
  return kinds.includes(CORRECTED) ? [CORRECTED, ...kinds.filter((kind) => kind !== CORRECTED)] : kinds;
}

/** The lines that a mistake takes, which are no longer free then, and what it makes of them. */
async function choose(
  kind: LineKind,
  free: Set<NamedLine>,
  sources: Sources,
): Promise<{ taken: NamedLine[]; mistaken: MistakenLines } | undefined> {
  const { chance } = sources;
  const { fits, spoil, takes = 1 } = LINE_MISTAKES[kind];
  const fitting = [...free].filter(({ line }) => fits(line));
  const drawn = await mapInTurns(fitting, (each) => ({ each, chance: chance(each.id) }));
  const candidates = drawn.sort((one, other) => one.chance - other.chance).map(({ each }) => each);
  const last = takes === 0 ? 0 : candidates.length - takes;
  for (let first = 0; first <= last; first += 1) {
    const taken = candidates.slice(first, first + takes);
    const mistaken = await spoil(taken, sources);
    if (mistaken) {
      for (const each of taken) {
        free.delete(each);
      }
      return { taken, mistaken };
    }
  }
  return undefined;
}

/** Lines that are carried in or out, or belong to the sandbox's own accounts, are left as they are. */
function isPayment({ line }: NamedLine): boolean {
  return line.lineType === 'payment' || line.lineType === 'share';
}

/** Puts the lines that a mistake makes in place of those that it took: at the place of the first, or at the end. */
function follow(shown: MistakenFile, kind: LineKind, taken: readonly NamedLine[], mistaken: MistakenLines): void {
  const { lines, field, expected, received, added } = mistaken;
  const [first = added] = taken;
  const place = shown.lines.findIndex(({ id }) => id === first?.id);
  const others = shown.lines.filter((each) => !taken.includes(each));
  const before = place === -1 ? others.length : place;
  shown.lines = [...others.slice(0, before), ...lines, ...others.slice(before)];
  shown.postponed.push(...(kind === 'next-day' ? taken : []));
  const about = added ?? first;
  shown.findings.push({
    kind,
    paymentId: about?.line.paymentId ?? '',
    reference: about?.line.paymentReference ?? '',
    shownIds: (added ? [added] : lines).map(({ id }) => id),
    field,
    expected,
    shown: received,
    difference: netOf(lines) - netOf(taken),
    verdict: LINE_MISTAKES[kind].verdict ?? 'investigate',
    resolvedIn: null,
  });
}

function withLate(shown: MistakenFile, late: readonly NamedLine[]): MistakenFile {
  const lines = late.map(({ id, line }) => ({ id: `late-${id}`, line }));
  const findings = lines.map(({ id, line }): MistakeFinding => {
    const { paymentId, paymentReference: reference, net: difference } = line;
    const facts = { paymentId, reference, shownIds: [id], field: 'line', expected: null, shown: reference, difference };
    return { kind: 'late', ...facts, verdict: 'ignore', resolvedIn: null };
  });
  return { ...shown, lines: [...lines, ...shown.lines], findings: [...shown.findings, ...findings] };
}

function netOf(lines: readonly NamedLine[]): number {
  return lines.reduce((sum, { line }) => sum + line.net, 0);
}
