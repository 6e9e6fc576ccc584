import { isSuccess } from '../../base/is-success.ts';
import { membersOf } from '../../base/members.ts';
import type { RequestView } from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { Case } from '../cases/case.ts';
import type { StagedRace, StagedStep } from '../observation/observation.ts';
import { type Placed, place } from '../observation/placing.ts';
import type { OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { holdAnswer, letTimeRun } from './held-answer.ts';
import { Lack } from './lack.ts';
import { paceOf } from './pace.ts';
import { otherChannel, Parties } from './parties.ts';
import { LATE_AFTER } from './races.ts';
import type { Act, Actor, Held, Race } from './schedule.ts';

/** What the shop did before an answer could be held took longer than the answer was held. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Session time between two acts, so that a story shows them apart. */
const BETWEEN_ACTS = 'PT1S';

/**
 * Real milliseconds without a call after which the clock moves while an order is placed: a shop may wait for the payer, but must not be
 * hurried while an answer is held.
 */
const LONG_IDLE_MS = 2000;
const NEVER_IDLE_MS = 60_000;

const NAMES: Readonly<Record<Actor | 'answer', string>> = {
  answer: 'the answer to the payment request',
  notification: 'the notification',
  'first-notification': 'the notification of the first attempt',
  return: 'the return',
  'return-elsewhere': 'the return in another session',
  'return-changed': 'the return with another query string',
  reconciler: 'the reconciler',
};

/** Takes one order through a race. */
export class RaceStage {
  readonly #race: Race;
  readonly #examined: Case;
  readonly #target: ExaminedShop;
  readonly #parties: Parties;
  readonly #pace: ReturnType<typeof paceOf>;
  readonly #run: number;
  readonly #holdMs: number;
  readonly #isBlockable: boolean;
  readonly #steps: StagedStep[] = [];
  /** Parties that the shop has not answered yet. */
  readonly #acting = new Set<Promise<unknown>>();
  #placed: Placed | undefined;

  /**
   * `run` counts the orders of this race, `holdMs` is for how many real milliseconds an answer is held, and `isBlockable` says whether a
   * party may then still wait, as behind a lock; otherwise it counts as slow.
   */
  constructor(
    race: Race,
    examined: Case,
    target: ExaminedShop,
    { run, holdMs, isBlockable }: { run: number; holdMs: number; isBlockable: boolean },
  ) {
    this.#race = race;
    this.#examined = examined;
    this.#target = target;
    this.#pace = paceOf(target);
    this.#run = run;
    this.#holdMs = holdMs;
    this.#isBlockable = isBlockable;
    this.#parties = new Parties(target, () => this.#placed?.orderId);
  }

  /** Resolves when the shop has answered all parties. Rejects with AdapterError, and with TooSlow. */
  async take(order: OrderInput): Promise<{ placed: Placed; race: StagedRace }> {
    const [first, ...others] = this.#race.acts;
    const isAnswerHeld = typeof first === 'object' && 'held' in first && first.held === 'answer';
    let lack: string | undefined;
    try {
      if (isAnswerHeld) {
        await this.#hold(first, () => this.#place(order, NEVER_IDLE_MS));
      } else {
        await this.#place(order, LONG_IDLE_MS);
        await this.#beforeRace(order);
      }
      await this.#all(isAnswerHeld ? others : this.#race.acts);
    } catch (error) {
      if (!(error instanceof Lack)) {
        throw error;
      }
      lack = error.message;
    } finally {
      await Promise.allSettled(this.#acting);
      await this.#target.client.freeze();
    }
    return { placed: this.#placed ?? { orderId: undefined, refused: undefined }, race: { steps: this.#steps, lack } };
  }

  async #place(order: OrderInput, idleMs: number): Promise<void> {
    this.#placed = await place(order, this.#target, { idleMs });
  }

  /** The first failure of a payment that is paid later, and the second attempt after it. */
  async #beforeRace({ channel }: OrderInput): Promise<void> {
    const { outcome } = this.#race;
    if (outcome !== 'late' && outcome !== 'again') {
      return;
    }
    await this.#settle('Failed');
    await this.#pause();
    if (outcome === 'late') {
      await this.#act('notification');
    } else {
      // A payer who is back in the shop sees the failure before the shop is notified of it.
      await this.#act(this.#target.adapter.returnFromPayment ? 'return' : 'notification');
      await this.#pause();
      await this.#tell(() => this.#parties.payAgain(otherChannel(channel)));
    }
  }

  async #all(acts: readonly Act[]): Promise<void> {
    for (const act of acts) {
      await this.#pause();
      await this.#one(act);
    }
  }

  async #one(act: Act): Promise<void> {
    if (act === 'decision') {
      await this.#decide();
    } else if (typeof act === 'string') {
      await this.#act(act);
    } else if ('atOnce' in act) {
      await this.#atOnce(act.atOnce);
    } else if ('killedDuring' in act) {
      await this.#kill(act.killedDuring);
    } else {
      const { held } = act;
      await this.#hold(act, () => (held === 'answer' ? Promise.resolve() : this.#act(held)));
    }
  }

  async #decide(): Promise<void> {
    const { outcome } = this.#race;
    if (outcome === 'late') {
      await this.#target.client.advance(LATE_AFTER);
    } else {
      await this.#settle(outcome === 'failed' ? 'Failed' : outcome === 'expired' ? 'Expired' : 'Paid');
    }
  }

  async #settle(outcome: 'Paid' | 'Failed' | 'Expired'): Promise<void> {
    const { client } = this.#target;
    const { items } = await client.payments({ state: 'Processing', limit: '1' });
    const [payment] = items;
    if (!payment) {
      throw new Lack('the shop made no payment that could be decided');
    }
    await client.settle(payment.id, outcome);
  }

  /** Lets a party act, and keeps what it did for the story at the time at which it began. */
  async #act(actor: Actor, note = ''): Promise<void> {
    await this.#tell(() => this.#pace.measure(actor, () => this.#parties.act(actor)), note);
  }

  async #tell(begin: () => ReturnType<Parties['act']>, note = ''): Promise<void> {
    const place = this.#steps.length;
    const { now: at } = await this.#target.client.clock();
    const done = await begin();
    if (done) {
      this.#steps.splice(place, 0, { at, who: done.who, text: done.text + note });
    }
  }

  /** The time between the parties changes from run to run. */
  async #atOnce(actors: readonly Actor[]): Promise<void> {
    const [first = 'return'] = actors;
    const starts = actors.map((actor, index) =>
      index === 0 ? 0 : this.#pace.offset(first, actor, this.#run * (2 * index - 1)),
    );
    await Promise.all(
      actors.map(async (actor, index) => {
        const others = actors.filter((_, place) => place !== index).map((each) => NAMES[each]);
        await delay((starts[index] ?? 0) - Math.min(...starts));
        await this.#act(actor, `, at once with ${others.join(' and ')}`);
      }),
    );
  }

  /** Ends the shop as a crash does, at another moment in each run. */
  async #kill(actor: Actor): Promise<void> {
    const { adapter, client, shop } = this.#target;
    const attempts = async () => (await client.deliveries({ limit: '100' })).items.flatMap((each) => each.attempts);
    const acting = this.#watched(this.#parties.act(actor));
    await delay(this.#pace.moment(actor, this.#run));
    await shop?.kill();
    const { now: at } = await client.clock();
    this.#steps.push({ at, who: 'shop', text: 'is killed, and started again' });
    await acting;
    await adapter.restart?.(shop && (() => shop.restart()));
    if (!(await attempts()).some(({ status }) => isSuccess(status))) {
      await this.#pause();
      await this.#act('first-notification');
    }
    for (const { status, ms } of await attempts()) {
      if (isSuccess(status)) {
        this.#pace.saw(actor, ms);
      }
    }
  }

  /** Holds the first answer that the provider gives once `begin` has begun, by the real clock: a frozen one waits for receivers. */
  async #hold({ held, during, releasedWith }: Held, begin: () => Promise<void>): Promise<void> {
    const { client } = this.#target;
    await letTimeRun(this.#target);
    let acting: Promise<unknown> = Promise.resolve();
    const hold = { isPayment: held === 'answer', holdMs: this.#holdMs };
    const heldFor = await holdAnswer(this.#target, this.#examined, hold, () => {
      acting = this.#watched(begin());
      return acting;
    });
    if (!heldFor) {
      await acting;
      throw new Lack(`${NAMES[held]} causes no status query that could be held`);
    }
    const until = steadyNow() + heldFor.leftMs;
    const what = held === 'answer' ? 'the answer to the payment request' : 'the answer to the status query';
    await this.#during(during, until, acting);
    if (releasedWith !== undefined) {
      const offset = this.#pace.offset(held === 'answer' ? 'return' : held, releasedWith, this.#run);
      await delay(Math.max(0, until + offset - steadyNow()));
      await this.#act(releasedWith, `, at once with ${what}`);
    }
    await acting;
    await Promise.all(this.#acting);
    if (releasedWith === undefined && (await this.#lastNotifiedAt()) > heldFor.sentAt) {
      throw this.#tooSlow();
    }
    const text = `sends ${what}, which was held${await this.#saidIn(held)}`;
    this.#steps.push({ at: heldFor.sentAt, who: 'provider', text });
    await client.freeze();
  }

  /** Acts while an answer is held. A party that the shop lets wait, as behind a lock, does not stop the others. */
  async #during(acts: readonly Act[], until: number, held: Promise<unknown>): Promise<void> {
    for (const act of acts) {
      if (steadyNow() >= until) {
        throw this.#tooSlow();
      }
      const acting = this.#watched(this.#one(act));
      const isAnswered = acting.then(() => true);
      const isOver = Promise.race([held, delay(until - steadyNow())]).then(() => false);
      if (!(await Promise.race([isAnswered, isOver])) && !this.#isBlockable) {
        throw this.#tooSlow();
      }
    }
  }

  #tooSlow(): TooSlow {
    return new TooSlow(`an answer that is held for ${this.#holdMs} ms is sent before the other parties have acted`);
  }

  /** When the last notification was sent; empty if none was. */
  async #lastNotifiedAt(): Promise<string> {
    const { items } = await this.#target.client.deliveries({ limit: '100' });
    const all = items.flatMap(({ attempts }) => attempts.map(({ at }) => at));
    return all.toSorted().at(-1) ?? '';
  }

  /** Remembers something that runs, so that nothing of it is left when the race ends. */
  #watched(acting: Promise<unknown>): Promise<unknown> {
    this.#acting.add(acting);
    acting.then(
      () => this.#acting.delete(acting),
      () => this.#acting.delete(acting),
    );
    return acting;
  }

  /** The status in a held answer: it is what was true when the shop asked. */
  async #saidIn(held: Actor | 'answer'): Promise<string> {
    const { items } = await this.#target.client.list<RequestView>('requests', { limit: '50' });
    const answer = items.find(({ fault, operation }) => fault !== null && operation === 'getPaymentStatus')?.answer;
    const { status } = membersOf(held === 'answer' || !answer ? undefined : JSON.parse(answer.body));
    return typeof status === 'string' ? `: it says ${status}` : '';
  }

  /** The clock cannot be moved while the provider waits for the shop. */
  async #pause(): Promise<void> {
    if (this.#acting.size === 0) {
      await this.#target.client.advance(BETWEEN_ACTS);
    }
  }
}
