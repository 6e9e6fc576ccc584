import type { RequestView } from '../../base/schema/generated/control.ts';
import type { Judgement } from '../verdicts/verdicts.ts';
import type { WatchedOrder } from './traffic-log.ts';

export interface JudgeContext {
  /** All orders, including the judged one. */
  orders: readonly WatchedOrder[];
  /** The time at which the watch ended or the session was reset, in UTC. */
  until: string;
}

export type TrafficVerdict = Omit<Judgement, 'invariant'>;
/** Returns undefined if the situation did not occur. */
export type TrafficJudge = (order: WatchedOrder, context: JudgeContext) => TrafficVerdict | undefined;

/** The reason for missing verdicts about the shop's own actions. */
export const HIDDEN = 'cannot be seen in the traffic';

export const isQuery = ({ operation }: RequestView) => operation === 'getPaymentStatus';
