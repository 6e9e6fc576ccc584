/** A party that acts on an order from outside its shop. */
export type Actor =
  | 'notification'
  /** That of the first attempt to pay, where there was a second one. */
  | 'first-notification'
  | 'return'
  /** The same address, opened without the cookies of the customer. */
  | 'return-elsewhere'
  /** The same address, with another query string. */
  | 'return-changed'
  | 'reconciler';

/** The actors start at the same moment. */
interface AtOnce {
  atOnce: readonly Actor[];
}

/**
 * The answer to the payment request, or to the status query that an actor causes, is held until `during` has happened. The answer says
 * what was true when it was asked for. With `releasedWith`, it is released at the moment at which another actor starts.
 */
export interface Held {
  held: Actor | 'answer';
  during: readonly Act[];
  releasedWith?: Actor;
}

/** The shop is killed while an actor waits for its answer, and started again; what it has not acknowledged is sent again. */
interface Killed {
  killedDuring: Actor;
}

/** `decision`: the provider decides the payment. */
export type Act = Actor | 'decision' | AtOnce | Held | Killed;

/** How the payment of a race ends. `late`: it fails, and is paid later. `again`: it fails, and a second attempt is paid. */
export type RaceOutcome = 'paid' | 'failed' | 'expired' | 'late' | 'again';

/** The order in which the parties of a payment reach the shop. */
export interface Race {
  outcome: RaceOutcome;
  acts: readonly Act[];
}

/** The calls of the provider's side of a race that an order takes as its own steps. */
export function actorsIn(acts: readonly Act[]): Set<Actor | 'answer'> {
  return new Set(
    acts.flatMap((act): (Actor | 'answer')[] => {
      if (typeof act === 'string') {
        return act === 'decision' ? [] : [act];
      }
      if ('killedDuring' in act) {
        return [act.killedDuring];
      }
      return 'atOnce' in act
        ? [...act.atOnce]
        : [act.held, ...actorsIn(act.during), ...(act.releasedWith === undefined ? [] : [act.releasedWith])];
    }),
  );
}

/** Whether chance in the shop decides who is first, so that one run shows little. */
export function isDecidedByChance({ acts }: Pick<Race, 'acts'>): boolean {
  return acts.some((act) => typeof act !== 'string' && (!('held' in act) || act.releasedWith !== undefined));
}

/** Whether the shop is killed, so that the examination must have started it. */
export function isKilling({ acts }: Pick<Race, 'acts'>): boolean {
  return acts.some((act) => typeof act !== 'string' && 'killedDuring' in act);
}
