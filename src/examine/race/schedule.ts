import type { RaceOutcome } from './race-outcomes.ts';

/** A party that can change an order after its payment was requested; `reconciler` is the shop's own job. */
export type Party =
  | 'notification'
  /** The notification of the first attempt to pay, if there was a second one. */
  | 'first-notification'
  | 'return'
  /** The same address, opened without the cookies of the customer. */
  | 'return-elsewhere'
  /** The same address, with another query string. */
  | 'return-changed'
  | 'reconciler';

export const PARTY_NAMES: Readonly<Record<Party | 'answer', string>> = {
  answer: 'the answer to the payment request',
  notification: 'the notification',
  'first-notification': 'the notification of the first attempt',
  return: 'the return',
  'return-elsewhere': 'the return in another session',
  'return-changed': 'the return with another query string',
  reconciler: 'the reconciler',
};

/** The parties start at about the same moment, with a different offset in each run. */
interface SimultaneousStep {
  atOnce: readonly Party[];
}

/**
 * The answer to the payment request, or to the status query that a party causes, is held while the steps of `during` run.
 * It contains the status at the time of the request. With `releasedWith`, another party starts at about the moment of its release.
 */
export interface HeldStep {
  held: Party | 'answer';
  during: readonly RaceStep[];
  releasedWith?: Party;
}

/** The shop is killed while a party waits for its answer, and restarted; if it acknowledged no notification, the first is sent again. */
interface KillStep {
  killedDuring: Party;
}

/** `decision`: the provider decides the payment. */
export type RaceStep = Party | 'decision' | SimultaneousStep | HeldStep | KillStep;

/** The sequence in which the parties of a payment reach the shop. */
export interface Race {
  outcome: RaceOutcome;
  steps: readonly RaceStep[];
}

/** The parties that take part in these steps, and `answer` if an answer to a payment request is held. */
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

/** Whether the result of the race is random, so that one run proves little. */
export function isRandom({ steps }: Pick<Race, 'steps'>): boolean {
  return steps.some((step) => typeof step !== 'string' && (!('held' in step) || step.releasedWith !== undefined));
}

/** Whether the shop is killed, so that the examination must have started it. */
export function isKilling({ steps }: Pick<Race, 'steps'>): boolean {
  return steps.some((step) => typeof step !== 'string' && 'killedDuring' in step);
}
