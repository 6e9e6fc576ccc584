import { isSuccess } from '../../base/is-success.ts';
import { initiationsIn, type Observation, paidIn, type Words } from '../observation/observation.ts';
import { NO_ORDER, type OrderState } from '../shop/adapter.ts';

type Payment = Observation['payments'][number];
type Delivery = Observation['deliveries'][number];

/** Whether a payment failed or expired before it was paid. */
export function isPaidLate({ history }: Payment): boolean {
  return (
    history.findIndex(({ to }) => to === 'Paid') > history.findIndex(({ to }) => to === 'Failed' || to === 'Expired') &&
    history.some(({ to }) => to === 'Failed' || to === 'Expired')
  );
}

/** Whether a paid payment is now less than it was: all or a part of it was refunded, reversed, charged back or failed late. */
export function isReduced({ amount, left, adjustments = [] }: Payment): boolean {
  return adjustments.length > 0 && Number(left ?? 0) < Number(amount);
}

/** Whether a payment failed after it was paid, and no status query of the shop has succeeded since. */
export function isUncheckedFailure({ payments, requests }: Pick<Observation, 'payments' | 'requests'>): boolean {
  const failure = payments.flatMap(({ adjustments = [] }) => adjustments).find(({ kind }) => kind === 'late-failure');
  return (
    failure !== undefined &&
    !requests.some(
      ({ operation, at, answer }) =>
        operation === 'getPaymentStatus' && at >= failure.at && isSuccess(answer?.status ?? null),
    )
  );
}

/** Forged, or altered in transit. */
export function isForged({ forgery, webhookBehaviour }: Delivery): boolean {
  return forgery !== undefined || webhookBehaviour.mode === 'tampered';
}

/** The notifications that were sent, except forged ones, altered ones and tests. */
export function genuineIn({ deliveries }: Pick<Observation, 'deliveries'>): Delivery[] {
  return deliveries.filter((each) => !isForged(each) && !each.isTest && each.attempts.length > 0);
}

/** Whether a paid order is as before the forged notification at the end; undefined without one, or if the order was not paid before it. */
export function isAsBeforeForgery({ forged, finalState }: Observation, { paid }: Words): boolean | undefined {
  const before = forged?.stateBefore;
  return before && paid.has(before.state)
    ? finalState && paid.has(finalState.state) && Number(finalState.paidAmount) >= Number(before.paidAmount)
    : undefined;
}

export function hasTampering({ deliveries }: Observation): boolean {
  return deliveries.some(({ webhookBehaviour }) => webhookBehaviour.mode === 'tampered');
}

export function isFullAmountOrAdjusted({ paidAmount }: OrderState, { order, payments, actions }: Observation): boolean {
  const isGivenBack = actions.includes('refund') || payments.some(({ adjustments = [] }) => adjustments.length > 0);
  return isGivenBack || Number(paidAmount) === Number(order.amount);
}

/** Whether a payment of the order is paid, without any adjustment since, and the shop did not refund the order. */
export function isPaidAndKept(observation: Pick<Observation, 'payments' | 'actions'>): boolean {
  return (
    !observation.actions.includes('refund') &&
    paidIn(observation).some((payment) => (payment.adjustments ?? []).length === 0 && payment.state === 'Paid')
  );
}

/** Whether the shop must fulfil the order. It may instead refund an order that was given up before it was paid. */
export function isFulfilmentDue(observation: Pick<Observation, 'payments' | 'actions'>): boolean {
  const isInTime = paidIn(observation).some((payment) => !isPaidLate(payment));
  return isPaidAndKept(observation) && isInTime && !observation.actions.includes('cancel');
}

export function isNeitherPaidNorFulfilled({ state, fulfilments }: OrderState, { paid }: Words): boolean {
  return fulfilments === 0 && !paid.has(state);
}

export function isUnpaidState({ state }: OrderState, { open, givenUp }: Words): boolean {
  return open.has(state) || givenUp.has(state) || state === NO_ORDER.state;
}

/** Whether the shop has lost the order: not if the shop creates orders only after they are paid. */
export function isOrderLost(state: OrderState | undefined, { open }: Words): boolean {
  return state?.state === NO_ORDER.state && !open.has(NO_ORDER.state);
}

/** Whether the provider refused a payment request because of the format of its amount. */
export function isAmountRefused(observation: Pick<Observation, 'requests'>): boolean {
  return initiationsIn(observation)
    .flatMap(({ findings }) => findings)
    .some(({ path, severity }) => severity === 'error' && /amount$/i.test(path));
}

export function isFulfilledUnpaid({ fulfilments, paidAmount }: OrderState): boolean {
  return fulfilments > 0 && Number(paidAmount) === 0;
}
