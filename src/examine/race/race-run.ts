import { isSuccess } from '../../base/is-success.ts';
import type { PaymentView } from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { Case } from '../cases/case.ts';
import type { ExaminerStep, RaceResult } from '../observation/observation.ts';
import { type Placement, placeOrder } from '../observation/place-order.ts';
import { waitForPayments } from '../observation/provider-side.ts';
import type { OrderInput } from '../shop/adapter.ts';
import { type ExaminedShop, restartShop } from '../shop/examined-shop.ts';
import { holdAnswer, readHeldStatus, unfreezeClock } from './held-answer.ts';
import { MissingSupport, RefusedAttempt } from './missing-support.ts';
import { otherChannel, Parties } from './parties.ts';
import { OUTCOMES } from './race-outcomes.ts';
import { LATE_OUTCOME_AFTER } from './races.ts';
import { responseTimesOf } from './response-times.ts';
import { type HeldStep, PARTY_NAMES, type Party, type Race, type RaceStep } from './schedule.ts';

/** Thrown if a held answer had to be sent before the other parties had acted, because the shop is slow. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Session time between two steps, so that they have different times in a story. */
const BETWEEN_STEPS = 'PT1S';

/**
 * Real milliseconds without a call after which the clock moves while an order is placed: a shop may wait for the payer, but the
 * clock must not move while an answer is held.
 */
const LONG_IDLE_MS = 2000;
const NEVER_IDLE_MS = 60_000;

export class RaceRun {
  readonly #race: Race;
  readonly #testCase: Case;
  readonly #target: ExaminedShop;
  readonly #parties: Parties;
  readonly #responseTimes: ReturnType<typeof responseTimesOf>;
  readonly #runIndex: number;
  readonly #holdMs: number;
  readonly #canBeBlocked: boolean;
  readonly #steps: ExaminerStep[] = [];
  /** Actions that have not ended yet, mostly because the shop has not answered a party. */
  readonly #pending = new Set<Promise<unknown>>();
  #placed: Placement | undefined;
  #amount = '';

  /**
   * `runIndex` is the index of the order in this race; an answer is held for `holdMs` real milliseconds. With `canBeBlocked`, a party may
   * wait, as for a lock, until the answer is sent; otherwise the shop counts as slow.
   */
  constructor(
    race: Race,
    testCase: Case,
    target: ExaminedShop,
    { runIndex, holdMs, canBeBlocked }: { runIndex: number; holdMs: number; canBeBlocked: boolean },
  ) {
    this.#race = race;
    this.#testCase = testCase;
    this.#target = target;
    this.#responseTimes = responseTimesOf(target);
    this.#runIndex = runIndex;
    this.#holdMs = holdMs;
    this.#canBeBlocked = canBeBlocked;
    this.#parties = new Parties(target, () => this.#placed?.orderId);
  }

  /** Resolves when the shop has answered all parties. Rejects with AdapterError, and with TooSlow. */
  async run(order: OrderInput): Promise<{ placed: Placement; race: RaceResult }> {
    const [first, ...others] = this.#race.steps;
    const isAnswerHeld = typeof first === 'object' && 'held' in first && first.held === 'answer';
    let missingSupport: string | undefined;
    let isRefused = false;
    try {
      if (isAnswerHeld) {
        await this.#hold(first, () => this.#place(order, NEVER_IDLE_MS));
      } else {
        await this.#place(order, LONG_IDLE_MS);
        await this.#openPayment();
        await this.#beginAttempts(order);
      }
      await this.#runSteps(isAnswerHeld ? others : this.#race.steps);
    } catch (error) {
      if (!(error instanceof MissingSupport)) {
        throw error;
      }
      missingSupport = error.message;
      isRefused = error instanceof RefusedAttempt;
    } finally {
      await Promise.allSettled(this.#pending);
      await this.#target.client.freeze();
    }
    const placed = this.#placed ?? { orderId: undefined, refusal: undefined };
    return { placed, race: { steps: this.#steps, missingSupport, isRefused } };
  }

  async #place(order: OrderInput, idleMs: number): Promise<void> {
    this.#amount = order.amount;
    this.#placed = await placeOrder(order, this.#target, { idleMs });
  }

  async #beginAttempts({ channel }: OrderInput): Promise<void> {
    const { failsFirst, isTriedAgain } = OUTCOMES[this.#race.outcome];
    if (failsFirst) {
      await this.#decideAs('Failed');
      await this.#pause();
      // A payer who tries again is back in the shop, and sees the failure before the shop is notified of it.
      await this.#act(isTriedAgain && this.#target.adapter.returnFromPayment ? 'return' : 'notification');
    }
    if (isTriedAgain) {
      await this.#pause();
      await this.#record(() => this.#parties.payAgain(otherChannel(channel)));
    }
  }

  async #runSteps(steps: readonly RaceStep[]): Promise<void> {
    for (const step of steps) {
      await this.#pause();
      await this.#runStep(step);
    }
  }

  async #runStep(step: RaceStep): Promise<void> {
    if (step === 'decision') {
      await this.#decide();
    } else if (typeof step === 'string') {
      await this.#act(step);
    } else if ('atOnce' in step) {
      await this.#actAtOnce(step.atOnce);
    } else if ('killedDuring' in step) {
      await this.#kill(step.killedDuring);
    } else {
      const { held } = step;
      await this.#hold(step, () => (held === 'answer' ? Promise.resolve() : this.#act(held)));
    }
  }

  async #decide(): Promise<void> {
    const { decision, isPaidLater } = OUTCOMES[this.#race.outcome];
    if (decision) {
      await this.#decideAs(decision);
    }
    if (isPaidLater) {
      await this.#target.client.advance(LATE_OUTCOME_AFTER);
    }
  }

  async #decideAs(outcome: NonNullable<(typeof OUTCOMES)[Race['outcome']]['decision']>): Promise<unknown> {
    const payment = await this.#openPayment();
    if (!payment) {
      throw new MissingSupport('the shop made no payment that could be decided');
    }
    return this.#target.client.settle(payment.id, outcome);
  }

  /** The first undecided payment with the amount of the order, otherwise the first undecided one; undefined if the shop requests none. */
  async #openPayment(): Promise<PaymentView | undefined> {
    const order = { amount: this.#amount };
    const open = await waitForPayments(this.#target, order, 1, ({ state }) => state === 'Processing');
    return open.find(({ amount }) => amount === order.amount) ?? open[0];
  }

  async #act(party: Party, note = ''): Promise<void> {
    await this.#record(() => this.#responseTimes.measure(party, () => this.#parties.act(party)), note);
  }

  async #record(begin: () => ReturnType<Parties['act']>, note = ''): Promise<void> {
    const index = this.#steps.length;
    const { now: at } = await this.#target.client.clock();
    const action = await begin();
    if (action) {
      this.#steps.splice(index, 0, { at, who: action.who, text: action.text + note });
    }
  }

  /** Starts the parties with a different offset in each run. */
  async #actAtOnce(parties: readonly Party[]): Promise<void> {
    const [first = 'return'] = parties;
    const starts = parties.map((party, index) =>
      index === 0 ? 0 : this.#responseTimes.offset(first, party, this.#runIndex * (2 * index - 1)),
    );
    await Promise.all(
      parties.map(async (party, index) => {
        const others = parties.filter((_, place) => place !== index).map((each) => PARTY_NAMES[each]);
        await delay((starts[index] ?? 0) - Math.min(...starts));
        await this.#act(party, `, at once with ${others.join(' and ')}`);
      }),
    );
  }

  /** Kills the shop at a different moment in each run. */
  async #kill(party: Party): Promise<void> {
    const { client, shopProcess } = this.#target;
    const attempts = async () => (await client.deliveries({ limit: '100' })).items.flatMap((each) => each.attempts);
    const action = this.#track(this.#parties.act(party));
    await delay(this.#responseTimes.momentDuring(party, this.#runIndex));
    await shopProcess?.kill();
    this.#steps.push({ at: (await client.clock()).now, who: 'shop', text: 'is killed, and started again' });
    await action;
    await restartShop(this.#target);
    if (!(await attempts()).some(({ status }) => isSuccess(status))) {
      await this.#pause();
      await this.#act('first-notification');
    }
    for (const { status, ms } of await attempts()) {
      if (isSuccess(status)) {
        this.#responseTimes.record(party, ms);
      }
    }
  }

  /** Holds the first answer to a status query or payment request after `begin`. The clock must run: advancing a frozen one waits for receivers. */
  async #hold({ held, during, releasedWith }: HeldStep, begin: () => Promise<void>): Promise<void> {
    const { client } = this.#target;
    await unfreezeClock(this.#target);
    let action: Promise<unknown> = Promise.resolve();
    const hold = { isPayment: held === 'answer', holdMs: this.#holdMs };
    const heldAnswer = await holdAnswer(this.#target, this.#testCase, hold, () => {
      action = this.#track(begin());
      return action;
    });
    if (!heldAnswer) {
      await action;
      throw new MissingSupport(`${PARTY_NAMES[held]} causes no status query that could be held`);
    }
    const until = steadyNow() + heldAnswer.leftMs;
    const answerText = held === 'answer' ? 'the answer to the payment request' : 'the answer to the status query';
    await this.#actDuringHold(during, until, action);
    if (releasedWith !== undefined) {
      const offset = this.#responseTimes.offset(held === 'answer' ? 'return' : held, releasedWith, this.#runIndex);
      await delay(Math.max(0, until + offset - steadyNow()));
      await this.#act(releasedWith, `, at once with ${answerText}`);
    }
    await action;
    await Promise.all(this.#pending);
    if (releasedWith === undefined && (await this.#lastNotifiedAt()) > heldAnswer.sentAt) {
      throw this.#tooSlowError();
    }
    const status = held === 'answer' ? undefined : await readHeldStatus(client);
    const text = `sends ${answerText}, which was held${status === undefined ? '' : `: it says ${status}`}`;
    this.#steps.push({ at: heldAnswer.sentAt, who: 'provider', text });
    await client.freeze();
  }

  /** A party that waits for the shop, as for a lock, does not stop the others. */
  async #actDuringHold(steps: readonly RaceStep[], until: number, held: Promise<unknown>): Promise<void> {
    for (const step of steps) {
      if (steadyNow() >= until) {
        throw this.#tooSlowError();
      }
      const action = this.#track(this.#runStep(step));
      const isAnswered = action.then(() => true);
      const isReleased = Promise.race([held, delay(until - steadyNow())]).then(() => false);
      if (!(await Promise.race([isAnswered, isReleased])) && !this.#canBeBlocked) {
        throw this.#tooSlowError();
      }
    }
  }

  #tooSlowError(): TooSlow {
    return new TooSlow(`an answer that is held for ${this.#holdMs} ms is sent before the other parties have acted`);
  }

  /** Empty if no notification was sent. */
  async #lastNotifiedAt(): Promise<string> {
    const { items } = await this.#target.client.deliveries({ limit: '100' });
    const all = items.flatMap(({ attempts }) => attempts.map(({ at }) => at));
    return all.toSorted().at(-1) ?? '';
  }

  /** The race ends only after the action. */
  #track(action: Promise<unknown>): Promise<unknown> {
    this.#pending.add(action);
    const untrack = () => this.#pending.delete(action);
    action.then(untrack, untrack);
    return action;
  }

  /** The clock cannot be moved while the provider waits for the shop. */
  async #pause(): Promise<void> {
    if (this.#pending.size === 0) {
      await this.#target.client.advance(BETWEEN_STEPS);
    }
  }
}
