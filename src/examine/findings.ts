import { type Case, caseOf, situationsOf } from './case.ts';
import type { InvariantId } from './invariants.ts';
import type { Observation } from './observation.ts';
import { isRequired } from './requirements.ts';
import type { Step } from './story.ts';
import { type Judgement, VERDICTS, type Verdict } from './verdicts.ts';

const AS_USUAL = 'it is violated on a good day, too';

/** What was found of one invariant in one situation on one channel. */
export interface Found extends Judgement {
  id: string;
  situation: string;
  channel: string;
  /** Of the order that it was seen by; null where none was. */
  amount: string | null;
  /** What happened. */
  history: readonly Step[];
  /** The file that plays it again. */
  bundle: string | null;
  /** The file of a test that tries it again with the shop as it is by then. */
  test: string | null;
  /** Whether it is one of the requirements; what is not is told, and counts for nothing. */
  isScored: boolean;
}

/** All that an examination has found so far. */
export class Findings {
  readonly #found = new Map<string, Found>();

  get all(): Found[] {
    return [...this.#found.values()];
  }

  get counts(): Record<Verdict, number> {
    const counted = VERDICTS.map((verdict) => [verdict, this.all.filter((each) => each.verdict === verdict).length]);
    return Object.fromEntries(counted) as Record<Verdict, number>;
  }

  note(
    { observation, ...judgement }: Judgement & { observation?: Pick<Observation, 'order'> },
    examined: Case,
    channel: string,
    history: readonly Step[] = [],
    bundle: string | null = null,
  ): void {
    const id = idOf(judgement.invariant, examined, channel);
    const situation = namesOf(examined);
    const isScored = isRequired(situationsOf(examined));
    const amount = observation?.order.amount ?? null;
    this.#found.set(id, { ...judgement, id, situation, channel, amount, history, bundle, test: null, isScored });
  }

  /** A violation as what was found already tells it: on a good day, or by what happened, where this case did not. */
  known<Told extends Judgement>(judgement: Told, channel: string): Told | undefined {
    const broken = this.all.filter(
      (found) => found.invariant === judgement.invariant && found.channel === channel && found.verdict === 'violated',
    );
    if (broken.some(({ situation }) => situation === namesOf(caseOf([])))) {
      return { ...judgement, note: AS_USUAL };
    }
    const { missed } = judgement;
    const isTold = broken.some((found) => found.missed === undefined);
    return missed !== undefined && isTold ? { ...judgement, verdict: 'not-exercised', note: missed } : undefined;
  }

  /** Whether fewer situations were found to violate the invariant already. */
  areExplained(invariant: InvariantId, examined: Case, channel: string): boolean {
    const names = new Set(situationsOf(examined).map(({ id }) => id));
    return this.all.some(
      (found) =>
        found.invariant === invariant &&
        found.channel === channel &&
        found.verdict === 'violated' &&
        found.situation.split('+').every((id) => names.has(id)),
    );
  }
}

/** What a finding is called, always the same. */
export function idOf(invariant: InvariantId, examined: Case, channel: string): string {
  return `${invariant}-${namesOf(examined)}-${channel}`;
}

function namesOf(examined: Case): string {
  return situationsOf(examined)
    .map(({ id }) => id)
    .join('+');
}
