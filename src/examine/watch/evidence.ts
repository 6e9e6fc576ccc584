import type { DeliveryView, RequestView } from '../../base/schema/generated/control.ts';
import type { Judgement } from '../verdicts/verdicts.ts';
import type { WatchedOrder } from './traffic-log.ts';

/** What an order is judged beside. */
export interface JudgeContext {
  /** All orders, itself among them. */
  orders: readonly WatchedOrder[];
  /** When the watch ended, as the control API writes times. */
  until: string;
}

export type TrafficVerdict = Omit<Judgement, 'invariant'>;
/** Undefined where it did not come to that. */
export type TrafficJudge = (order: WatchedOrder, context: JudgeContext) => TrafficVerdict | undefined;

/** Why nothing is said of what shops do by themselves. */
export const UNSEEN = 'cannot be seen in the traffic';

export function isQuery({ operation }: RequestView): boolean {
  return operation === 'getPaymentStatus';
}

export function isForged({ forgery, webhookBehaviour }: DeliveryView): boolean {
  return forgery !== undefined || webhookBehaviour.mode === 'tampered';
}

export function genuineIn(deliveries: readonly DeliveryView[]): DeliveryView[] {
  return deliveries.filter((delivery) => !isForged(delivery) && !delivery.isTest);
}

export function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}
