import type { Adapter } from '../shop/adapter.ts';
import { partiesIn, type Race } from './schedule.ts';

/** A situation cannot be tried with this shop; the message says what it would take. */
export class MissingSupport extends Error {
  override readonly name = 'MissingSupport';
}

export const NO_RETURN =
  'the browser cannot return: export returnFromPayment(orderId, { url, signal }) from the adapter, or let the payment carry the address that it returns to';
export const NO_SECOND_ATTEMPT =
  'nobody can pay a second time: export payAgain(orderId, { channel, signal }) from the adapter';

/** What it would take to run a race, where that is known before; undefined if nothing is missing. */
export function missingRaceSupport(
  { steps, outcome }: Race,
  { returnFromPayment, payAgain }: Pick<Adapter, 'returnFromPayment' | 'payAgain'>,
  isAddressCarried: boolean,
): string | undefined {
  if (outcome === 'again' && !payAgain) {
    return NO_SECOND_ATTEMPT;
  }
  const isReturn = [...partiesIn(steps)].some((party) => party.startsWith('return'));
  return isReturn && !returnFromPayment && !isAddressCarried ? NO_RETURN : undefined;
}
