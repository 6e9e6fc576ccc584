import type { SettlementAnswerKey } from '../../base/schema/control.ts';
import type { Settlement } from '../../base/schema/records.ts';
import { draw } from './draw.ts';
import type { NamedLine } from './file.ts';
import type { IsKnown } from './invent.ts';
import { type Kind, SPOILERS, type Spoiled } from './spoilers.ts';

type AnswerKeyFinding = SettlementAnswerKey['findings'][number];
/** A difference, by the names of the lines that are shown in place of the booked ones. */
export type Finding = Omit<AnswerKeyFinding, 'shownLines'> & { shownIds: string[] };

export interface Shown {
  lines: NamedLine[];
  findings: Finding[];
  skipped: Kind[];
  /** What is left for the next file to show. */
  postponed: NamedLine[];
}

/**
 * The lines of a file as a merchant gets them. Each kind of mistake takes one line that it fits and that no other took: the one
 * for which a hash of seed, settlement, kind and line is least. What the file before left for this one comes first. What is
 * invented is nowhere in the session, or it would be no mistake.
 */
export async function shownLines(
  { id, mismatches }: Pick<Settlement, 'id' | 'mismatches'>,
  booked: readonly NamedLine[],
  { seed, isKnown, late = [] }: { seed: string; isKnown: IsKnown; late?: readonly NamedLine[] },
): Promise<Shown> {
  const shown: Shown = { lines: [...booked], findings: [], skipped: [], postponed: [] };
  const free = new Set(booked.filter(isPayment));
  for (const kind of mismatches?.kinds ?? []) {
    const chance = (...words: string[]) => draw(seed, id, kind, ...words);
    const { fits, spoil, takes = 1 } = SPOILERS[kind];
    const candidates = [...free]
      .filter(({ line }) => fits(line))
      .sort((one, other) => chance(one.id) - chance(other.id));
    let spoiled: Spoiled | undefined;
    for (let first = 0; !spoiled && first + takes <= candidates.length; first += 1) {
      const taken = candidates.slice(first, first + takes);
      spoiled = await spoil(taken, chance, isKnown);
      if (spoiled) {
        follow(shown, kind, taken, spoiled);
        for (const each of taken) {
          free.delete(each);
        }
      }
    }
    if (!spoiled) {
      shown.skipped.push(kind);
    }
  }
  return withLate(shown, late);
}

/** Lines that are carried in or out, or belong to the sandbox's own accounts, are left as they are. */
function isPayment({ line }: NamedLine): boolean {
  return line.lineType === 'payment' || line.lineType === 'share';
}

/** Puts the lines that a mistake makes in place of those that it took: at the place of the first. */
function follow(shown: Shown, kind: Kind, taken: readonly NamedLine[], spoiled: Spoiled): void {
  const { lines, field, expected, received, verdict = 'investigate' } = spoiled;
  const [first] = taken;
  const place = shown.lines.findIndex(({ id }) => id === first?.id);
  const others = shown.lines.filter((each) => !taken.includes(each));
  shown.lines = [...others.slice(0, place), ...lines, ...others.slice(place)];
  shown.postponed.push(...(kind === 'next-day' ? taken : []));
  const about = kind === 'unknown' ? lines.find((line) => !taken.includes(line)) : first;
  shown.findings.push({
    kind,
    paymentId: about?.line.paymentId ?? '',
    reference: about?.line.paymentReference ?? '',
    shownIds: lines.filter((line) => kind !== 'unknown' || line === about).map(({ id }) => id),
    field,
    expected,
    shown: received,
    difference: netOf(lines) - netOf(taken),
    verdict,
    resolvedIn: null,
  });
}

function withLate(shown: Shown, late: readonly NamedLine[]): Shown {
  const lines = late.map(({ id, line }) => ({ id: `late-${id}`, line }));
  const findings = lines.map(({ id, line }): Finding => {
    const { paymentId, paymentReference: reference, net: difference } = line;
    const facts = { paymentId, reference, shownIds: [id], field: 'line', expected: null, shown: reference, difference };
    return { kind: 'late', ...facts, verdict: 'ignore', resolvedIn: null };
  });
  return { ...shown, lines: [...lines, ...shown.lines], findings: [...shown.findings, ...findings] };
}

function netOf(lines: readonly NamedLine[]): number {
  return lines.reduce((sum, { line }) => sum + line.net, 0);
}
