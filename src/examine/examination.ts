import { messageOf } from '../base/errors.ts';
import { steadyNow } from '../base/timers.ts';
import { AdapterError } from './adapter.ts';
import { calibrate } from './calibration.ts';
import { type Bench, type Case, caseOf, observe, reconcile, situationsOf, titleOf, usual } from './case.ts';
import { Draws } from './draws.ts';
import { Findings, type Found, idOf } from './findings.ts';
import type { InvariantId } from './invariants.ts';
import type { Observation, Words } from './observation.ts';
import { SITUATIONS, type Situation } from './situations.ts';
import { storyOf } from './story.ts';
import { type Judgement, judge, type Verdict, wantedIn } from './verdicts.ts';

export interface ExaminationOptions {
  channels: readonly string[];
  currency: string;
  seed: number;
  /** Real milliseconds until pairs of situations and more at once end; single ones are all examined. */
  budgetMs: number;
  /** Only what these invariants or situations are named in; all where there are none. */
  only: readonly string[];
  /** Ends it. */
  signal: AbortSignal;
  /** Writes the bundle of a violation; returns the file. */
  keepBundle(id: string, text: string): string;
  onProgress(progress: Progress): void;
}

export interface Progress {
  /** What is being examined, in words. */
  now: string;
  done: number;
  /** Of the single situations. */
  total: number;
  violated: number;
}

export interface Examined {
  verdicts: readonly Found[];
  counts: Readonly<Record<Verdict, number>>;
  /** What the shop's words were taken to mean. */
  words: { open: readonly string[]; paid: readonly string[] };
  cases: number;
  seed: number;
  milliseconds: number;
}

/** How often a violation must come to be one. */
const TIMES = 3;

/** What was found, with what was seen; without it where nothing could be seen. */
interface Seen extends Judgement {
  observation?: Observation;
}

/** One examination of a shop. */
export class Examination {
  readonly #bench: Bench;
  readonly #options: ExaminationOptions;
  readonly #draws: Draws;
  readonly #findings = new Findings();
  #words: Words = { open: new Set(), paid: new Set() };
  #orders = 0;

  constructor(bench: Bench, options: ExaminationOptions) {
    this.#bench = bench;
    this.#options = options;
    this.#draws = new Draws(options.seed);
  }

  /** What was found so far. */
  get found(): readonly Found[] {
    return this.#findings.all;
  }

  /** Examines the shop. */
  async run(): Promise<Examined> {
    const began = steadyNow();
    const { seed, budgetMs } = this.#options;
    const channels = await this.#calibrate();
    await this.#single(channels);
    await this.#together(channels, began + budgetMs);
    const { all: verdicts, counts } = this.#findings;
    const words = { open: [...this.#words.open], paid: [...this.#words.paid] };
    return { verdicts, counts, words, cases: this.#orders, seed, milliseconds: Math.round(steadyNow() - began) };
  }

  /** One order on each channel, as both sides see it. */
  async tryOut(): Promise<{ channel: string; lines: readonly string[]; problem: string | undefined }[]> {
    const { channels } = this.#options;
    const { seen, problems } = await calibrate(channels, (channel) => this.#order(channel), this.#bench);
    return channels.map((channel) => {
      const last = seen.get(channel);
      return { channel, lines: last ? storyOf(last) : [`by ${channel}`], problem: problems.get(channel)?.words };
    });
  }

  /** Learns the shop's words, and how long it takes. Resolves with the channels that it sells by. */
  async #calibrate(): Promise<string[]> {
    const orderBy = (channel: string) => {
      this.#progress(`how the shop sells by ${channel}`);
      return this.#order(channel);
    };
    const { words, channels, problems } = await calibrate(this.#options.channels, orderBy, this.#bench);
    for (const [channel, { kind, words: note }] of problems) {
      const verdict = kind === 'not-sold' && channels.length > 0 ? 'not-applicable' : 'inconclusive';
      this.#findings.note({ invariant: 'I4', verdict, note }, caseOf([]), channel);
    }
    this.#words = words;
    // Where the shop is known to fulfil orders on one channel, those of another that it does not fulfil are lost.
    const broken = [...problems.keys()].filter((channel) => problems.get(channel)?.kind === 'not-fulfilled');
    return channels.length === 0 ? [] : [...channels, ...broken];
  }

  async #single(channels: readonly string[]): Promise<void> {
    const isUsual = (situation: Situation) => situation === usual(situation.kind) && situation.kind !== 'outcome';
    const cases = SITUATIONS.filter((each) => !isUsual(each) && this.#isWanted(caseOf([each]))).flatMap((situation) =>
      channels.map((channel) => ({ examined: caseOf([situation]), channel })),
    );
    for (const [done, { examined, channel }] of cases.entries()) {
      const needless = situationsOf(examined).find((each) => !this.#bench.webhook && needsNotification(each));
      if (needless) {
        const note = 'the shop takes no notifications';
        for (const invariant of wantedIn(examined)) {
          this.#findings.note({ invariant, verdict: 'not-applicable', note }, examined, channel);
        }
        continue;
      }
      this.#progress(`${titleOf(examined)}, by ${channel}`, done, cases.length);
      await this.#take(await this.#examine(examined, channel), examined, channel);
    }
  }

  /** Two situations at once, in an order that is drawn, then three, for as long as there is time. */
  async #together(channels: readonly string[], until: number): Promise<void> {
    if (channels.length === 0) {
      return;
    }
    const isPossible = (each: Situation) => this.#bench.webhook !== undefined || !needsNotification(each);
    const unusual = SITUATIONS.filter((each) => each !== usual(each.kind) && isPossible(each));
    const pairs = unusual
      .flatMap((one, index) =>
        unusual
          .slice(index + 1)
          .filter(({ kind }) => kind !== one.kind)
          .map((two) => caseOf([one, two])),
      )
      .filter((examined) => this.#isWanted(examined));
    const drawn = this.#draws.shuffled(pairs);
    for (let next = 0; steadyNow() < until && (drawn.length > 0 || this.#options.only.length === 0); next += 1) {
      const examined = drawn[next] ?? caseOf(this.#draws.shuffled(unusual).slice(0, 3));
      const channel = channels[this.#draws.below(channels.length)] ?? '';
      this.#progress(`${titleOf(examined)}, by ${channel}`);
      for (const judgement of await this.#examine(examined, channel)) {
        if (judgement.verdict === 'violated' && !this.#findings.areExplained(judgement.invariant, examined, channel)) {
          const least = await this.#shrink(judgement.invariant, examined, channel);
          await this.#take([judgement], least, channel);
        }
      }
    }
  }

  async #examine(examined: Case, channel: string): Promise<Seen[]> {
    try {
      const seen = await observe(examined, this.#order(channel), this.#bench);
      if (seen.refused !== undefined && seen.requests.length === 0) {
        throw new AdapterError(`the shop refused the order and made no call: ${seen.refused}`);
      }
      const first = judge(examined, seen, undefined, this.#words);
      const isBroken = first.some(({ verdict }) => verdict === 'violated');
      const then = isBroken ? await reconcile(seen, this.#bench) : undefined;
      const judgements = then ? judge(examined, seen, then, this.#words) : first;
      return judgements
        .filter(({ invariant }) => this.#isNamed(invariant, examined))
        .map((judgement) => ({ ...judgement, observation: then ?? seen }));
    } catch (error) {
      // What the shop or its adapter cannot do is no verdict on the shop.
      return wantedIn(examined).map((invariant) => ({ invariant, verdict: 'inconclusive', note: messageOf(error) }));
    }
  }

  /** Notes what was found in a case. A violation counts where it comes each time, and is kept with what plays it again. */
  async #take(judgements: readonly Seen[], examined: Case, channel: string): Promise<void> {
    const isBroken = judgements.some(({ verdict }) => verdict === 'violated');
    const runs: (readonly Seen[])[] = [judgements];
    while (isBroken && runs.length < TIMES) {
      runs.push(await this.#examine(examined, channel));
    }
    // The history of the last run is what the session has now.
    const bundle = isBroken ? await this.#bench.client.bundle() : '';
    for (const judgement of judgements) {
      const { invariant, verdict } = judgement;
      if (verdict !== 'violated') {
        this.#findings.note(judgement, examined, channel);
        continue;
      }
      const again = runs.flatMap((run) =>
        run.filter((each) => each.invariant === invariant && each.verdict === 'violated'),
      );
      const observation = again.at(-1)?.observation;
      const history = observation ? storyOf(observation) : [];
      if (again.length < TIMES) {
        const note = `it was violated ${again.length} times of ${TIMES}`;
        this.#findings.note({ invariant, verdict: 'inconclusive', note }, examined, channel, history);
      } else {
        const file = this.#options.keepBundle(idOf(invariant, examined, channel), bundle);
        this.#findings.note(judgement, examined, channel, history, file);
      }
    }
  }

  /** The fewest of its situations that violate the invariant as well. */
  async #shrink(invariant: InvariantId, examined: Case, channel: string): Promise<Case> {
    let least = examined;
    for (const situation of situationsOf(examined)) {
      const fewer = caseOf(situationsOf(least).filter((each) => each !== situation));
      const found = await this.#examine(fewer, channel);
      if (found.some((each) => each.invariant === invariant && each.verdict === 'violated')) {
        least = fewer;
      }
    }
    return least;
  }

  #isWanted(examined: Case): boolean {
    return this.#options.only.length === 0 || wantedIn(examined).some((id) => this.#isNamed(id, examined));
  }

  #isNamed(invariant: InvariantId, examined: Case): boolean {
    const { only } = this.#options;
    return only.length === 0 || only.includes(invariant) || situationsOf(examined).some(({ id }) => only.includes(id));
  }

  #order(channel: string) {
    this.#orders += 1;
    const amount = `${10 + this.#draws.below(90)}.${10 + this.#draws.below(90)}`;
    return { amount, currency: this.#options.currency, channel, payer: { name: 'Ann Payer', mobile: '263770000001' } };
  }

  #progress(now: string, done = 0, total = 0): void {
    this.#options.signal.throwIfAborted();
    this.#options.onProgress({ now, done, total, violated: this.#findings.counts.violated });
  }
}

function needsNotification({ kind, afterwards }: Situation): boolean {
  return kind === 'notification' || afterwards === 'send-first-again';
}
