import { type Case, caseOf, situationsOf } from './case.ts';
import type { InvariantId } from './invariants.ts';
import type { Observation } from './observation.ts';
import { isRequired } from './requirements.ts';
import type { Step } from './story.ts';
import { type Judgement, VERDICTS, type Verdict } from './verdicts.ts';

const AS_USUAL = 'it is violated even if nothing goes wrong';

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

  /** A case that did not happen is not told by what another, which did, violates as well, whichever was examined first. */
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
    const isScored = isRequired(situationsOf(examined));
    const amount = observation?.order.amount ?? null;
    this.#found.set(id, { ...judgement, id, situation, channel, amount, history, bundle, test: null, isScored });
  }

  /** A violation as it is noted where it was seen often enough: on a good day, or in a case that did happen. */
  known<Told extends Judgement>(judgement: Told, channel: string): Told | undefined {
    const onGoodDay = this.#found.get(idOf(judgement.invariant, caseOf([]), channel));
    if (onGoodDay?.verdict === 'violated') {
      return { ...judgement, note: AS_USUAL };
    }
    return judgement.missed !== undefined && isTold(judgement, channel, this.all) ? judgement : undefined;
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

/** What a finding is called, always the same. */
export function idOf(invariant: InvariantId, examined: Case, channel: string): string {
  return `${invariant}-${namesOf(examined)}-${channel}`;
}

function namesOf(examined: Case): string {
  return situationsOf(examined)
    .map(({ id }) => id)
    .join('+');
}
