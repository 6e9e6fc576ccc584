import { SeededIds } from '../base/seeded-ids.ts';
import { steadyNow } from '../base/timers.ts';
import { type Case, caseOf, isDefault, isTriedAlone, situationsOf, titleOf } from './cases/case.ts';
import { CaseTimes } from './cases/case-times.ts';
import { missingSupportFor, type PlannedCase, pairsOf, planCases, uncoveredLast } from './cases/plan.ts';
import { ReachedCalls } from './cases/reached-calls.ts';
import { isCaseSelected, isEverythingSelected, isSelected } from './cases/selection.ts';
import { type IsUncovered, isUncoveredBy } from './cases/uncovered.ts';
import type { ExaminationOptions, Progress } from './examination-options.ts';
import { type DryRun, type ExaminationResult, mergeWords } from './examination-result.ts';
import { calibrate } from './observation/calibration.ts';
import { NO_WORDS, type Words } from './observation/observation.ts';
import { linesOf, priceNotes, type Step, storyOf } from './observation/story.ts';
import { returnAddressIn } from './race/browser.ts';
import { isResultRandom, STRETCH, tryOften } from './race/try-often.ts';
import type { ExaminedShop } from './shop/examined-shop.ts';
import { type CaseVerdict, CaseVerdicts, findingIdOf } from './verdicts/case-verdicts.ts';
import { earliestOf } from './verdicts/causes.ts';
import { invariantOf } from './verdicts/invariants.ts';
import { REQUIREMENTS } from './verdicts/requirements.ts';
import { SessionFindings } from './verdicts/session-findings.ts';
import { CONFIRMING_RUNS, confirmVerdict, type TriedJudgement, tryCase } from './verdicts/trial.ts';
import { invariantsOf } from './verdicts/verdicts.ts';

export const PAYER = { name: 'Ann Payer', mobile: '263770000001' };

/** After this many inconclusive combinations in a row, no more are tried. */
const MAX_INCONCLUSIVE = 3;

export class Examination {
  readonly #target: ExaminedShop;
  readonly #options: ExaminationOptions;
  readonly #random: SeededIds;
  readonly #isUncovered: IsUncovered;
  readonly #verdicts = new CaseVerdicts();
  readonly #sessionFindings: SessionFindings;
  readonly #reachedCalls = new ReachedCalls();
  readonly #times = new CaseTimes();
  /** The channels on which the shop sends the address that the browser returns to. */
  readonly #returningChannels = new Set<string>();
  #words: ReadonlyMap<string, Words> = new Map();
  #triedCases = 0;
  #combinations = 0;

  constructor(target: ExaminedShop, options: ExaminationOptions) {
    this.#target = target;
    this.#options = options;
    this.#sessionFindings = new SessionFindings(options.scope.subject);
    this.#random = new SeededIds(String(options.seed), 0);
    this.#isUncovered = isUncoveredBy(options.coverage);
  }

  get verdicts(): readonly CaseVerdict[] {
    return this.#verdicts.all;
  }

  /** If the signal fires, resolves with the results so far. */
  async run(): Promise<ExaminationResult> {
    const startedAt = steadyNow();
    const { seed, scope } = this.#options;
    const isStopped = await this.#runUntilStopped();
    const { all: verdicts, counts } = this.#verdicts;
    return {
      subject: scope.subject,
      unseen: scope.unseen,
      requirements: REQUIREMENTS,
      verdicts,
      counts,
      findings: this.#sessionFindings.all,
      words: mergeWords(this.#words.values()),
      isStopped,
      cases: this.#triedCases,
      combinations: this.#combinations,
      slowest: this.#times.slowest,
      seed,
      milliseconds: Math.round(steadyNow() - startedAt),
    };
  }

  /** Resolves with whether it was stopped. */
  async #runUntilStopped(): Promise<boolean> {
    const { signal, budgetMs } = this.#options;
    try {
      const channels = await this.#calibrate();
      await this.#examineSituations(channels);
      await this.#examineCombinations(channels, steadyNow() + budgetMs);
      return false;
    } catch (error) {
      if (signal.aborted && error === signal.reason) {
        return true;
      }
      throw error;
    }
  }

  /** Places orders without faults on each channel. Rejects if the signal fires. */
  async dryRun(): Promise<DryRun> {
    const { selection, scope, signal } = this.#options;
    const { channels } = selection;
    const calibration = await calibrate(channels, (channel) => this.#newOrder(channel), this.#target);
    signal.throwIfAborted();
    const tried = channels.map((channel) => {
      const last = calibration.observations.get(channel);
      const notes = last ? priceNotes(last) : [];
      return {
        channel,
        lines: last ? [...linesOf(storyOf(last, scope.subject)), ...notes] : [`on ${channel}`],
        hasOwnPrice: notes.length > 0,
        problem: calibration.problems.get(channel)?.text,
      };
    });
    return { tried, words: mergeWords(calibration.words.values()) };
  }

  /** Resolves with the channels to examine. */
  async #calibrate(): Promise<string[]> {
    const newOrder = (channel: string) => {
      this.#reportProgress(`learning how the shop sells on ${channel}`);
      return this.#newOrder(channel);
    };
    const { selection } = this.#options;
    const { words, channels, problems, observations } = await calibrate(selection.channels, newOrder, this.#target);
    // After the signal, missing orders are not a problem of the shop: they were never placed.
    this.#options.signal.throwIfAborted();
    for (const [channel, last] of observations) {
      this.#reachedCalls.record(caseOf([]), channel, last);
      this.#sessionFindings.add(caseOf([]), channel, last);
      if (returnAddressIn(last, this.#target.adapter) !== undefined) {
        this.#returningChannels.add(channel);
      }
    }
    for (const [channel, { kind, text: note }] of problems) {
      const verdict = kind === 'not-sold' && channels.length > 0 ? 'not-applicable' : 'inconclusive';
      this.#verdicts.record({ invariant: 'I4', verdict, note }, caseOf([]), channel);
    }
    this.#words = words;
    // A shop that fulfils orders on one channel but not on another violates a requirement.
    const unfulfilled = [...problems.keys()].filter((channel) => problems.get(channel)?.kind === 'not-fulfilled');
    return channels.length === 0 ? [] : [...channels, ...unfulfilled];
  }

  /** Plans again after each case, because a case may show that the shop makes a call which another situation needs. */
  async #examineSituations(channels: readonly string[]): Promise<void> {
    const done = new Set<string>();
    const keyOf = ({ testCase, channel }: PlannedCase) => `${titleOf(testCase)} ${channel}`;
    const { selection, scope } = this.#options;
    for (;;) {
      const planned = planCases(selection, scope.situations, channels, this.#reachedCalls, this.#isUncovered);
      const next = planned.find((each) => !done.has(keyOf(each)));
      if (!next) {
        return;
      }
      const count = { done: done.size, total: planned.length, leftMs: this.#times.leftMs(planned.length - done.size) };
      this.#reportProgress(`${titleOf(next.testCase)}, on ${next.channel}`, count);
      done.add(keyOf(next));
      await this.#times.measure(next, this.#examineSingle(next));
    }
  }

  async #examineSingle({ testCase, channel }: PlannedCase): Promise<void> {
    const missing = missingSupportFor(situationsOf(testCase), this.#target, this.#returningChannels.has(channel));
    if (!missing) {
      await this.#recordResults(await this.#examine(testCase, channel), testCase, channel);
      return;
    }
    for (const invariant of invariantsOf(testCase).filter((id) => isSelected(id, testCase, this.#options.selection))) {
      this.#verdicts.record({ invariant, ...missing }, testCase, channel);
    }
  }

  /** Examines random pairs of situations, then triples if everything is selected, until the time is up or a requirement is violated. */
  async #examineCombinations(channels: readonly string[], deadline: number): Promise<void> {
    const { selection, scope } = this.#options;
    if (channels.length === 0 || selection.findings.length > 0) {
      return;
    }
    const combinable = scope.situations.filter(
      (each) => !isDefault(each) && !isTriedAlone(caseOf([each])) && !missingSupportFor([each], this.#target),
    );
    const selected = pairsOf(combinable).filter((testCase) => isCaseSelected(testCase, selection));
    const pairs = uncoveredLast(this.#random.shuffled(selected), channels, this.#isUncovered);
    let inconclusive = 0;
    const canContinue = () => steadyNow() < deadline && inconclusive < MAX_INCONCLUSIVE && !this.#verdicts.hasFailed;
    while (canContinue() && (pairs.length > 0 || isEverythingSelected(selection))) {
      const testCase = pairs.pop() ?? caseOf(this.#random.shuffled(combinable).slice(0, 3));
      const channel = channels[this.#random.below(channels.length)] ?? '';
      if (this.#reachedCalls.areReached(situationsOf(testCase), channel)) {
        this.#reportProgress(`${titleOf(testCase)}, on ${channel}`, { leftMs: deadline - steadyNow() });
        inconclusive = (await this.#tryCombination(testCase, channel)) ? 0 : inconclusive + 1;
      }
    }
  }

  /** Resolves with whether any verdict is not `inconclusive`. */
  async #tryCombination(testCase: Case, channel: string): Promise<boolean> {
    this.#combinations += 1;
    const judgements = await this.#examine(testCase, channel);
    for (const judgement of judgements.filter(({ verdict }) => verdict === 'inconclusive')) {
      this.#verdicts.record(judgement, testCase, channel);
    }
    const violations = judgements.filter(({ verdict }) => verdict === 'violated');
    const earliest = earliestOf(violations.map(({ invariant }) => invariant));
    const violated = violations.find(({ invariant }) => invariant === earliest);
    if (violated) {
      await this.#recordResults([violated], await this.#shrink(violated, testCase, channel), channel);
    }
    return judgements.some(({ verdict }) => verdict !== 'inconclusive');
  }

  async #examine(testCase: Case, channel: string, amount = testCase.alone.amount): Promise<TriedJudgement[]> {
    const { scope } = this.#options;
    const words = this.#words.get(channel) ?? NO_WORDS;
    const tryOnce = (run = 0) => tryCase(testCase, this.#newOrder(channel, amount), this.#target, words, scope, run);
    const judgements = await (isResultRandom(testCase) ? tryOften(tryOnce, this.#target.quietPeriod) : tryOnce());
    const observation = judgements.find((each) => each.observation)?.observation;
    this.#reachedCalls.record(testCase, channel, observation);
    this.#sessionFindings.add(testCase, channel, observation);
    return judgements.filter(({ invariant }) => isSelected(invariant, testCase, this.#options.selection));
  }

  /** Repeats the case if a violation is not explained by another finding: only a confirmed one gets a bundle. */
  async #recordResults(judgements: readonly TriedJudgement[], testCase: Case, channel: string): Promise<void> {
    const violations = judgements.filter(({ verdict }) => verdict === 'violated');
    const explained = this.#verdicts.findExplained(violations, testCase, channel);
    const hasUnexplained = explained.length < violations.length;
    const times = isResultRandom(testCase) ? 1 : CONFIRMING_RUNS;
    const runs: (readonly TriedJudgement[])[] = [judgements];
    const { quietPeriod, client } = this.#target;
    quietPeriod.stretch(STRETCH);
    while (hasUnexplained && runs.length < times) {
      runs.push(await this.#examine(testCase, channel, amountIn(judgements)));
    }
    quietPeriod.stretch(1);
    // The session contains the history of the last run only.
    const bundle = hasUnexplained ? await client.bundle() : '';
    for (const judgement of judgements) {
      const final =
        judgement.verdict === 'violated' ? explained.find((each) => each.invariant === judgement.invariant) : judgement;
      if (final) {
        this.#verdicts.record(final, testCase, channel, final.verdict === 'violated' ? this.#storyOf(final) : []);
      } else {
        const found = confirmVerdict(judgement, runs, invariantOf(judgement.invariant).isCorrectable, times);
        const id = findingIdOf(found.invariant, testCase, channel);
        const file = found.verdict === 'violated' ? this.#options.writeBundle(id, bundle) : null;
        this.#verdicts.record(found, testCase, channel, this.#storyOf(found), file);
      }
    }
  }

  #storyOf({ observation }: TriedJudgement): readonly Step[] {
    return observation ? storyOf(observation, this.#options.scope.subject) : [];
  }

  /** Removes the situations that the violation does not need, by trying the case without each. */
  async #shrink(judgement: TriedJudgement, testCase: Case, channel: string): Promise<Case> {
    let smallest = testCase;
    for (const situation of situationsOf(testCase)) {
      const smaller = caseOf(situationsOf(smallest).filter((each) => each !== situation));
      const judgements = await this.#examine(smaller, channel, amountIn([judgement]));
      if (judgements.some((each) => each.invariant === judgement.invariant && each.verdict === 'violated')) {
        smallest = smaller;
      }
    }
    return smallest;
  }

  #newOrder(channel: string, defaultAmount?: string) {
    this.#options.signal.throwIfAborted();
    this.#triedCases += 1;
    const random = () => `${10 + this.#random.below(90)}.${10 + this.#random.below(90)}`;
    const { currency, amount = defaultAmount ?? random() } = this.#options;
    return { amount, currency, channel, payer: PAYER };
  }

  #reportProgress(now: string, count: Partial<Progress> = {}): void {
    this.#options.signal.throwIfAborted();
    const { counts, firstViolation } = this.#verdicts;
    this.#options.onProgress({ now, done: 0, total: 0, ...count, violated: counts.violated, firstViolation });
  }
}

/** The amount of the order that was judged; a violation may depend on it. */
function amountIn(judgements: readonly TriedJudgement[]): string | undefined {
  return judgements.find(({ observation }) => observation)?.observation?.order.amount;
}
