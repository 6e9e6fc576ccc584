import { delay, steadyNow } from '../../base/timers.ts';
import { type Case, scenarioOf } from '../cases/case.ts';
import { INITIATIONS, type StagedRace, type StagedStep } from '../observation/observation.ts';
import { type Placed, place } from '../observation/placing.ts';
import type { OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { heldAnswers, Lack, otherChannel, Parties } from './parties.ts';
import { LATE_AFTER } from './races.ts';
import type { Act, Actor, Held, Race } from './schedule.ts';

/** What the shop did before an answer could be held took longer than the answer was held. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Session time between two acts, so that a story shows them apart, and for which an answer is held until it is released. */
const BETWEEN_ACTS = 'PT1S';
const UNTIL_RELEASED = 'PT1M';

/** Real milliseconds: between two looks, until a call that can be held must be there, and after which placing counts as stuck. */
const LOOK_MS = 5;
const LONGEST_WAIT_MS = 3000;
const NEVER_IDLE_MS = 60_000;

/** How much later than the first each party starts, in real milliseconds: shops differ in the moment at which they can be overtaken. */
const OFFSETS_MS = [0, 4, 8, 15, 25, 40];

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
export class Stage {
  readonly #race: Race;
  readonly #examined: Case;
  readonly #target: ExaminedShop;
  readonly #parties: Parties;
  readonly #run: number;
  readonly #holdMs: number;
  readonly #steps: StagedStep[] = [];
  /** Parties that the shop has not answered yet. */
  readonly #acting = new Set<Promise<unknown>>();
  #placed: Placed | undefined;

  /** `run` counts the orders of this race, and `holdMs` is for how many real milliseconds an answer is held while others act. */
  constructor(race: Race, examined: Case, target: ExaminedShop, { run, holdMs }: { run: number; holdMs: number }) {
    this.#race = race;
    this.#examined = examined;
    this.#target = target;
    this.#run = run;
    this.#holdMs = holdMs;
    this.#parties = new Parties(target, () => this.#placed?.orderId);
  }

  /** Resolves when the shop has answered all parties. Rejects with AdapterError, and with TooSlow. */
  async take(order: OrderInput): Promise<{ placed: Placed; race: StagedRace }> {
    const [first, ...others] = this.#race.acts;
    const isAnswerHeld = typeof first === 'object' && 'held' in first && first.held === 'answer';
    let lack: string | undefined;
    try {
      if (isAnswerHeld) {
        await this.#hold(first, () => this.#place(order));
      } else {
        await this.#place(order);
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

  async #place(order: OrderInput): Promise<void> {
    this.#placed = await place(order, this.#target, NEVER_IDLE_MS);
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
      await this.#tell(this.#parties.payAgain(otherChannel(channel)));
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
    await this.#tell(this.#parties.act(actor), note);
  }

  async #tell(deed: ReturnType<Parties['act']>, note = ''): Promise<void> {
    const place = this.#steps.length;
    const { now: at } = await this.#target.client.clock();
    const done = await deed;
    if (done) {
      this.#steps.splice(place, 0, { at, who: done.who, text: done.text + note });
    }
  }

  /** The order of the parties and the time between them change from run to run. */
  async #atOnce(actors: readonly Actor[]): Promise<void> {
    const turned = this.#run % 2 === 0 ? actors : actors.toReversed();
    const between = OFFSETS_MS[this.#run % OFFSETS_MS.length] ?? 0;
    await Promise.all(
      turned.map(async (actor, index) => {
        await delay(between * index);
        const others = actors.filter((_, place) => place !== actors.indexOf(actor)).map((each) => NAMES[each]);
        await this.#act(actor, `, at once with ${others.join(' and ')}`);
      }),
    );
  }

  /** Holds the first answer that the provider gives once `begin` has begun. */
  async #hold({ held, during, releasedWith }: Held, begin: () => Promise<void>): Promise<void> {
    const { client } = this.#target;
    const isTimed = releasedWith === undefined;
    if (isTimed) {
      await client.unfreeze();
    }
    await this.#useHolding(held, isTimed ? `PT${this.#holdMs / 1000}S` : UNTIL_RELEASED);
    const before = await heldAnswers(this.#target);
    const acting = this.#watched(begin());
    if (!(await this.#isHeld(before, acting, held))) {
      await acting;
      throw new Lack(`${NAMES[held]} causes no status query that could be held`);
    }
    await client.useScenario('examined');
    const until = steadyNow() + this.#holdMs;
    const what = held === 'answer' ? 'the answer to the payment request' : 'the answer to the status query';
    await this.#say('provider', `holds ${what}`);
    if (releasedWith === undefined) {
      await this.#during(during, until, acting);
    } else {
      for (const act of during) {
        await this.#one(act);
      }
      await this.#say('provider', `sends ${what} and ${NAMES[releasedWith]} at once`);
      const released = this.#watched(client.advance(UNTIL_RELEASED));
      await delay(OFFSETS_MS[this.#run % OFFSETS_MS.length] ?? 0);
      await this.#act(releasedWith);
      await released;
    }
    await acting;
    if (releasedWith === undefined) {
      await this.#say('provider', `has sent ${what}`);
      await client.freeze();
    }
  }

  /** Acts while an answer is held. A party that the shop lets wait, as behind a lock, does not stop the others. */
  async #during(acts: readonly Act[], until: number, held: Promise<unknown>): Promise<void> {
    for (const act of acts) {
      if (steadyNow() >= until) {
        throw new TooSlow(`an answer that is held for ${this.#holdMs} ms is sent before the other parties have acted`);
      }
      const acting = this.#watched(this.#one(act));
      await Promise.race([acting, held, delay(until - steadyNow())]);
    }
    await held;
    await Promise.all(this.#acting);
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

  async #isHeld(before: number, acting: Promise<unknown>, held: Actor | 'answer'): Promise<boolean> {
    let isOver = false;
    acting.then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    const began = steadyNow();
    while (steadyNow() - began < LONGEST_WAIT_MS) {
      if ((await heldAnswers(this.#target)) > before) {
        return true;
      }
      // A shop may request a payment after it has accepted the order.
      if (isOver && held !== 'answer') {
        return false;
      }
      await delay(LOOK_MS);
    }
    return false;
  }

  /** The scenario of the case, in which the next answer is held. */
  async #useHolding(held: Actor | 'answer', latency: string): Promise<void> {
    const { client } = this.#target;
    const fault = { at: 'after', kind: 'latency', latency, times: 1 };
    const scenario = scenarioOf(this.#examined);
    const isWanted = ({ operation }: { operation: string | readonly string[] }) =>
      held === 'answer'
        ? operation !== 'getPaymentStatus' && [...INITIATIONS].some((each) => operation.includes(each))
        : operation === 'getPaymentStatus';
    const rules = scenario.rules.map((rule) => (isWanted(rule.when) ? { ...rule, fault } : rule));
    const name = `held-${this.#steps.length}`;
    await client.defineScenario({ ...scenario, name, rules });
    await client.useScenario(name);
  }

  async #say(who: StagedStep['who'], text: string): Promise<void> {
    const { now: at } = await this.#target.client.clock();
    this.#steps.push({ at, who, text });
  }

  /** The clock cannot be moved while the provider waits for the shop. */
  async #pause(): Promise<void> {
    if (this.#acting.size === 0) {
      await this.#target.client.advance(BETWEEN_ACTS);
    }
  }
}
