import { type Case, caseOf, situationsOf } from '../cases/case.ts';
import type { Observation } from '../observation/observation.ts';
import type { Step } from '../observation/story.ts';
import type { InvariantId } from './invariants.ts';
import { isRequired } from './requirements.ts';
import { type Judgement, VERDICTS, type Verdict } from './verdicts.ts';

const AS_USUAL = 'it is violated even if nothing goes wrong';

/** The result for one invariant in one situation on one channel. */
export interface Found extends Judgement {
  id: string;
  situation: string;
  channel: string;
  /** The amount of the order that showed it; null if no order was placed. */
  amount: string | null;
  /** What happened. */
  history: readonly Step[];
  /** The file that reproduces it. */
  bundle: string | null;
  /** The file of a test that repeats the situation with the current shop. */
  test: string | null;
  /** Whether it is part of the requirements; otherwise it is only reported. */
  isScored: boolean;
}

/** The results of an examination so far. */
export class Findings {
  readonly #found = new Map<string, Found>();

  /** A violation in a case that did not happen counts as not exercised if a case that did happen violates the same invariant. */
  get all(): Found[] {
    const all = [...this.#found.values()];
    return all.map((found) =>
      found.missed !== undefined && isTold(found, found.channel, all)
        ? { ...found, verdict: 'not-exercised', note: found.missed, history: [], bundle: null }
        : found,
    );
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
    const isScored = isRequired(situationsOf(examined), judgement.invariant);
    const amount = observation?.order.amount ?? null;
    this.#found.set(id, { ...judgement, id, situation, channel, amount, history, bundle, test: null, isScored });
  }

  /** A violation that needs no confirmation because it is known already: from an order without faults, or from a case that did happen. */
  known<Told extends Judgement>(judgement: Told, channel: string): Told | undefined {
    const onGoodDay = this.#found.get(idOf(judgement.invariant, caseOf([]), channel));
    if (onGoodDay?.verdict === 'violated') {
      return { ...judgement, note: AS_USUAL };
    }
    return judgement.missed !== undefined && isTold(judgement, channel, this.all) ? judgement : undefined;
  }

  /** Whether a smaller combination is known to violate the invariant. */
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

/** Whether an invariant is violated by a case that did happen. */
function isTold({ invariant }: Pick<Judgement, 'invariant'>, channel: string, all: readonly Found[]): boolean {
  return all.some(
    (found) =>
      found.invariant === invariant &&
      found.channel === channel &&
      found.verdict === 'violated' &&
      found.missed === undefined,
  );
}

/** The id of a finding, which is the same in every examination. */
export function idOf(invariant: InvariantId, examined: Case, channel: string): string {
  return `${invariant}-${namesOf(examined)}-${channel}`;
}

function namesOf(examined: Case): string {
  return situationsOf(examined)
    .map(({ id }) => id)
    .join('+');
}
