import type { Adapter } from '../shop/adapter.ts';
import { OUTCOMES } from './race-outcomes.ts';
import { partiesIn, type Race } from './schedule.ts';

/** Thrown if a situation cannot be tried with this shop. */
export class MissingSupport extends Error {
  override readonly name = 'MissingSupport';
}

/** Thrown if a shop refuses a second attempt, as it may: the situation then does not apply to it. */
export class RefusedAttempt extends MissingSupport {}

export const NO_RETURN =
  'the browser cannot return: export returnFromPayment(orderId, { url, signal }) from the adapter, or send a return address with the payment';
export const NO_SECOND_ATTEMPT =
  'the customer cannot pay a second time: export payAgain(orderId, { channel, signal }) from the adapter';

/** The reason why a race cannot run, as far as it is known in advance; undefined if it can. */
export function missingRaceSupport(
  race: Race,
  { returnFromPayment, payAgain }: Pick<Adapter, 'returnFromPayment' | 'payAgain'>,
  hasReturnUrl: boolean,
): string | undefined {
  if (OUTCOMES[race.outcome].isTriedAgain && !payAgain) {
    return NO_SECOND_ATTEMPT;
  }
  const hasReturn = [...partiesIn(race.steps)].some((party) => party.startsWith('return'));
  return hasReturn && !returnFromPayment && !hasReturnUrl ? NO_RETURN : undefined;
}
