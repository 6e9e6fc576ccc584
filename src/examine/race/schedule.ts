/** A party that acts on an order from outside its shop. */
export type Party =
  | 'notification'
  /** That of the first attempt to pay, where there was a second one. */
  | 'first-notification'
  | 'return'
  /** The same address, opened without the cookies of the customer. */
  | 'return-elsewhere'
  /** The same address, with another query string. */
  | 'return-changed'
  | 'reconciler';

/** The parties start at the same moment. */
interface AtOnce {
  atOnce: readonly Party[];
}

/**
 * The answer to the payment request, or to the status query that a party causes, is held until `during` has happened. The answer says
 * what was true when it was asked for. With `releasedWith`, it is released at the moment at which another party starts.
 */
export interface Held {
  held: Party | 'answer';
  during: readonly RaceStep[];
  releasedWith?: Party;
}

/** The shop is killed while a party waits for its answer, and started again; what it has not acknowledged is sent again. */
interface Killed {
  killedDuring: Party;
}

/** `decision`: the provider decides the payment. */
export type RaceStep = Party | 'decision' | AtOnce | Held | Killed;

/** How the payment of a race ends. `late`: it fails, and is paid later. `again`: it fails, and a second attempt is paid. */
export type RaceOutcome = 'paid' | 'failed' | 'expired' | 'late' | 'again';

/** The order in which the parties of a payment reach the shop. */
export interface Race {
  outcome: RaceOutcome;
  steps: readonly RaceStep[];
}

/** The calls of the provider's side of a race that an order takes as its own steps. */
export function partiesIn(steps: readonly RaceStep[]): Set<Party | 'answer'> {
  return new Set(
    steps.flatMap((step): (Party | 'answer')[] => {
      if (typeof step === 'string') {
        return step === 'decision' ? [] : [step];
      }
      if ('killedDuring' in step) {
        return [step.killedDuring];
      }
      return 'atOnce' in step
        ? [...step.atOnce]
        : [step.held, ...partiesIn(step.during), ...(step.releasedWith === undefined ? [] : [step.releasedWith])];
    }),
  );
}

/** Whether chance in the shop decides who is first, so that one run shows little. */
export function isDecidedByChance({ steps }: Pick<Race, 'steps'>): boolean {
  return steps.some((step) => typeof step !== 'string' && (!('held' in step) || step.releasedWith !== undefined));
}

/** Whether the shop is killed, so that the examination must have started it. */
export function isKilling({ steps }: Pick<Race, 'steps'>): boolean {
  return steps.some((step) => typeof step !== 'string' && 'killedDuring' in step);
}
