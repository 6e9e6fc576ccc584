import { messageOf } from '../../base/errors.ts';
import type { DeliveryView, RequestView } from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import type { ShownEvent } from '../../client/shown.ts';
import { caseOf } from '../cases/case.ts';
import { EMPTY_RESULT, type ExaminationResult } from '../examination-result.ts';
import { type Step, storyOf } from '../observation/story.ts';
import { AdapterError } from '../shop/adapter.ts';
import type { Situation } from '../situations/situation.ts';
import { CaseVerdicts } from '../verdicts/case-verdicts.ts';
import { DECISIVE_FIRST, type Judgement } from '../verdicts/verdicts.ts';
import { describeEvent, isCall, paymentOf } from './event-words.ts';
import { type TimelineOfPayment, TrafficLog } from './traffic-log.ts';
import { judgeTraffic, occurredSituation, visibleInvariantsOf } from './traffic-verdicts.ts';
import { type OrderSituation, scenarioFor } from './watch-scenario.ts';

export interface WatchOptions {
  /** The situations that successive orders meet. */
  situations: readonly Situation[];
  channels: readonly string[];
  /** The position of the first situation, from 1. */
  seed: number;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Writes the bundle of the watch; returns the name of the file. */
  writeBundle(text: string): string;
  /** Called with the line of each event that has one, unless it repeats the previous line. */
  onLine(line: string): void;
}

export interface WatchResult {
  result: ExaminationResult;
  /** All calls, in the order in which they ended. */
  calls: readonly RequestView[];
}

/** Real milliseconds for which the end waits for undecided payments and for notifications that were not sent yet. */
const END_TIMEOUT_MS = 5000;

/** Events that replace the records of a session. */
const RESET_EVENTS: ReadonlySet<string> = new Set(['session.reset', 'session.restored']);

interface WatchedJudgement {
  judgement: Judgement;
  situation: Situation;
  channel: string;
  history: readonly Step[];
  trafficLog: TrafficLog;
}

/** One watch: another program places orders, each meets the next situation, and the traffic is judged. */
export class OrderWatch {
  readonly #client: SandboxClient;
  readonly #options: WatchOptions;
  readonly #judgements: WatchedJudgement[] = [];
  readonly #calls: RequestView[] = [];
  #trafficLog = new TrafficLog();
  #knownOrders: OrderSituation[] = [];
  #nextIndex: number;
  #orders = 0;
  #lastLine = '';

  constructor(client: SandboxClient, options: WatchOptions) {
    this.#client = client;
    this.#options = options;
    this.#nextIndex = options.seed - 1;
  }

  /** Watches until the signal fires. `onReady` is called once orders may be placed. Throws AdapterError if the watch is interrupted. */
  async run(onReady: () => void): Promise<WatchResult> {
    const startedAt = steadyNow();
    const [previousScenario, { items }] = await Promise.all([
      this.#client.currentScenario(),
      this.#client.list<ShownEvent>('event-log', { limit: '1' }),
    ]);
    await this.#setScenario();
    onReady();
    try {
      await this.#follow(items[0]?.id ?? 0);
      const { now } = await this.#client.clock();
      this.#judge(now);
      const bundle = this.#judgements.some(({ judgement }) => judgement.verdict === 'violated')
        ? this.#options.writeBundle(await this.#client.bundle())
        : null;
      await this.#client.useScenario(previousScenario.name);
      return { result: this.#summarize(bundle, Math.round(steadyNow() - startedAt)), calls: this.#calls };
    } catch (error) {
      throw new AdapterError(`the sandbox at ${this.#client.baseUrl} can no longer be watched: ${messageOf(error)}`);
    }
  }

  async #follow(since: number): Promise<void> {
    const { signal } = this.#options;
    const stop = new AbortController();
    const end = async () => {
      const endStartedAt = steadyNow();
      while (this.#trafficLog.isEventPending && steadyNow() - endStartedAt < END_TIMEOUT_MS) {
        await delay(50);
      }
      stop.abort();
    };
    signal.addEventListener('abort', () => void end(), { once: true });
    if (signal.aborted) {
      return;
    }
    try {
      for await (const event of this.#client.events(since, { calls: true, signal: stop.signal })) {
        await this.#handleEvent(event);
      }
    } catch (error) {
      if (!stop.signal.aborted) {
        throw error;
      }
      return;
    }
    throw new Error('it has ended');
  }

  async #handleEvent(event: ShownEvent): Promise<void> {
    if (event.type === 'missed') {
      throw new Error('too much happened at once to be read');
    }
    if (RESET_EVENTS.has(event.type)) {
      await this.#startAgain(event.at);
      return;
    }
    if (isCall(event)) {
      this.#calls.push(event.data);
      this.#trafficLog.addRequest(event.data);
    } else {
      await this.#readPayment(event);
    }
    this.#print(event.at, describeEvent(event, this.#trafficLog));
    const order = this.#trafficLog.orderOfPayment(event.type === 'payment.created' ? event.subjectId : null);
    if (order?.observation.payments.length === 1) {
      await this.#recordOrder({ reference: order.reference, situation: order.planned });
    }
  }

  async #readPayment(event: ShownEvent): Promise<void> {
    const [subject] = event.type.split('.');
    const id = subject === 'payment' ? event.subjectId : subject === 'delivery' ? paymentOf(event) : null;
    if (id === null || (subject === 'delivery' && !this.#trafficLog.orderOfPayment(id))) {
      return;
    }
    try {
      const [timeline, { items }] = await Promise.all([
        this.#client.call<TimelineOfPayment>('GET', `/payments/${encodeURIComponent(id)}/timeline`),
        this.#client.list<DeliveryView>('webhooks/deliveries', { subjectId: id, order: 'oldest', limit: '500' }),
      ]);
      if (this.#options.channels.includes(timeline.record.channel)) {
        this.#trafficLog.addPayment(timeline, items);
      }
    } catch (error) {
      // A reset, which the next event reports, deletes records.
      if (!(error instanceof ControlError && error.status === 404)) {
        throw error;
      }
    }
  }

  /** Records that an order met a situation, and sets the next one. Orders at the same time may meet the same situation. */
  async #recordOrder(order: OrderSituation): Promise<void> {
    this.#orders += 1;
    this.#knownOrders.push(order);
    if (order.situation === this.#next) {
      this.#nextIndex += 1;
    }
    await this.#setScenario();
  }

  get #next(): Situation {
    const { situations } = this.#options;
    const next = situations.at(this.#nextIndex % situations.length);
    if (!next) {
      throw new Error('a watch needs situations');
    }
    return next;
  }

  async #setScenario(): Promise<void> {
    const scenario = scenarioFor(this.#next, this.#knownOrders, this.#options.channels);
    await this.#client.defineScenario(scenario);
    await this.#client.useScenario(scenario.name);
  }

  /** Judges the records that the reset deleted; from now on, the same references belong to other orders. */
  async #startAgain(at: string): Promise<void> {
    this.#judge(at);
    this.#trafficLog = new TrafficLog();
    this.#knownOrders = [];
    await this.#setScenario();
    this.#print(at, 'the session was reset, and so were its references');
  }

  #judge(until: string): void {
    const { orders } = this.#trafficLog;
    for (const order of orders) {
      const [situation, story] = [occurredSituation(order), storyOf(order.observation, 'shop')];
      for (const judgement of judgeTraffic(order, { orders, until })) {
        const note: Step = { at: null, side: 'provider', who: 'provider', text: `notes: ${judgement.note}` };
        const history = judgement.note === undefined ? story : [...story, note];
        const { channel } = order.observation.order;
        this.#judgements.push({ judgement, situation, channel, history, trafficLog: this.#trafficLog });
      }
    }
  }

  #summarize(bundle: string | null, milliseconds: number): ExaminationResult {
    const caseVerdicts = new CaseVerdicts();
    const channels = [...new Set(this.#judgements.map(({ channel }) => channel))];
    const triedKeys = new Set(this.#judgements.map(({ situation, channel }) => `${situation.id} ${channel}`));
    for (const situation of this.#options.situations) {
      for (const channel of channels.filter((each) => !triedKeys.has(`${situation.id} ${each}`))) {
        for (const invariant of visibleInvariantsOf(situation)) {
          const note = 'no order reached it';
          caseVerdicts.record({ invariant, verdict: 'not-exercised', note }, caseOf([situation]), channel);
        }
      }
    }
    const rank = ({ judgement }: WatchedJudgement) => DECISIVE_FIRST.indexOf(judgement.verdict);
    // A later record of the same case overwrites an earlier one.
    const ranked = this.#judgements.toSorted((a, b) => rank(b) - rank(a));
    for (const { judgement, situation, channel, history, trafficLog } of ranked) {
      // The history of the session only reaches back to its last reset, so no bundle contains an earlier violation.
      const file = judgement.verdict === 'violated' && trafficLog === this.#trafficLog ? bundle : null;
      caseVerdicts.record(judgement, caseOf([situation]), channel, history, file);
    }
    const { all: verdicts, counts } = caseVerdicts;
    const { seed } = this.#options;
    return { ...EMPTY_RESULT, subject: 'shop', seed, milliseconds, verdicts, counts, cases: this.#orders };
  }

  /** Prints a line only once if it repeats, as for a shop that polls. */
  #print(at: string, words: string | undefined): void {
    if (words !== undefined && words !== this.#lastLine) {
      this.#lastLine = words;
      this.#options.onLine(`${at.slice(11, 19)} ${words}`);
    }
  }
}
