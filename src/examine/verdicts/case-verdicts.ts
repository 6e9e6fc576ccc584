import { type Case, caseIdOf, situationsOf } from '../cases/case.ts';
import type { Observation } from '../observation/observation.ts';
import type { Step } from '../observation/story.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { InvariantId } from './invariant.ts';
import { isRequired } from './requirements.ts';
import { type Judgement, VERDICTS, type Verdict } from './verdicts.ts';

/** The result for one invariant in one case on one channel. */
export interface CaseVerdict extends Judgement {
  id: string;
  situation: string;
  channel: string;
  /** The amount of the judged order; null if it was not observed, and in a watch. */
  amount: string | null;
  history: readonly Step[];
  /** A file with the history of the session; null if none was written. */
  bundle: string | null;
  /** The file of a test that repeats the case with the current shop; null if none was written. */
  test: string | null;
  /** Whether the requirements include it; otherwise it does not count by default. */
  isScored: boolean;
}

export class CaseVerdicts {
  readonly #found = new Map<string, CaseVerdict>();

  /** A violation in a case that did not happen becomes `not-exercised` if a case that happened violates the invariant on the same channel. */
  get all(): CaseVerdict[] {
    const all = [...this.#found.values()];
    return all.map((found) =>
      found.missed !== undefined && isViolated(found.invariant, found.channel, all)
        ? { ...found, verdict: 'not-exercised', note: found.missed, history: [], bundle: null }
        : found,
    );
  }

  get hasFailed(): boolean {
    return this.all.some(({ verdict, isScored }) => verdict === 'violated' && isScored);
  }

  get firstViolation(): CaseVerdict | undefined {
    return this.all.find(({ verdict }) => verdict === 'violated');
  }

  get counts(): Record<Verdict, number> {
    const counts = VERDICTS.map((verdict) => [verdict, this.all.filter((each) => each.verdict === verdict).length]);
    return Object.fromEntries(counts) as Record<Verdict, number>;
  }

  record(
    { observation, ...judgement }: Judgement & { observation?: Pick<Observation, 'order'> },
    testCase: Case,
    channel: string,
    history: readonly Step[] = [],
    bundle: string | null = null,
  ): void {
    const id = findingIdOf(judgement.invariant, testCase, channel);
    const situation = caseIdOf(testCase);
    const isScored = isRequired(situationsOf(testCase), judgement.invariant);
    const amount = observation?.order.amount ?? null;
    this.#found.set(id, { ...judgement, id, situation, channel, amount, history, bundle, test: null, isScored });
  }

  /**
   * The violations that need no confirmation, because other findings explain them: all, if one is confirmed for an order without faults
   * or for the same case on another channel; otherwise those in a case that did not happen, if a case that happened violates the invariant.
   */
  findExplained<Each extends Judgement>(violated: readonly Each[], testCase: Case, channel: string): Each[] {
    const { all } = this;
    const cause = all.find(
      (found) =>
        isConfirmed(found) &&
        violated.some(({ invariant }) => invariant === found.invariant) &&
        (found.channel === channel ? isWithoutFaults(found) : found.situation === caseIdOf(testCase)),
    );
    return cause
      ? violated.map((judgement) => ({ ...judgement, note: `as in ${cause.id}` }))
      : violated.filter((judgement) => judgement.missed !== undefined && isViolated(judgement.invariant, channel, all));
  }
}

/** Whether a violation of a requirement was confirmed. A violation that another one explains is not confirmed, and has no bundle. */
function isConfirmed({ verdict, bundle, isScored }: CaseVerdict): boolean {
  return verdict === 'violated' && bundle !== null && isScored;
}

/** Whether the provider causes no fault in the case: only the outcome of the payment varies. */
export function isWithoutFaults({ situation }: Pick<CaseVerdict, 'situation'>): boolean {
  return SITUATIONS.some(({ id, kind }) => id === situation && kind === 'outcome');
}

/** Whether an invariant is violated by a case that did happen. */
function isViolated(invariant: InvariantId, channel: string, all: readonly CaseVerdict[]): boolean {
  return all.some(
    (found) =>
      found.invariant === invariant &&
      found.channel === channel &&
      found.verdict === 'violated' &&
      found.missed === undefined,
  );
}

/** The id is the same in every examination. */
export function findingIdOf(invariant: InvariantId, testCase: Case, channel: string): string {
  return `${invariant}-${caseIdOf(testCase)}-${channel}`;
}
