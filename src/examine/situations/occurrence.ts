import { initiationsIn, type Observation, type ShopAction } from '../observation/observation.ts';
import type { Situation, SituationKind } from './situation.ts';

// Whether a situation really happened.

export const hasSentRequest = ({ requests }: Observation) => requests.length > 0;
/** Whether at least `count` payment requests met a fault. */
export const hasFaultsOnPayments = (count: number) => (observation: Observation) =>
  initiationsIn(observation).filter(({ fault }) => fault !== null).length >= count;
export const hasFaultOn = (wanted: string) => (observation: Observation) =>
  observation.requests.some(({ operation, fault }) => operation === wanted && fault !== null);
export const hasDone = (action: ShopAction) => (observation: Observation) => observation.actions.includes(action);
export const wasNotified = (mode: string) => (observation: Observation) =>
  observation.deliveries.some(
    ({ webhookBehaviour, attempts, state }) =>
      webhookBehaviour.mode === mode && (attempts.length > 0 || state === 'dropped'),
  );
export const hasForgery = (kind: string) => (observation: Observation) =>
  observation.deliveries.some((delivery) => delivery.forgery === kind && delivery.attempts.length > 0);
export const hasReached = (state: string) => (observation: Observation) =>
  observation.payments.some(({ history }) => history.some(({ to }) => to === state));
export const wasAdjusted =
  (count = 1) =>
  (observation: Observation) =>
    observation.payments.some(({ adjustments = [] }) => adjustments.length >= count);
export const wasSentAgain = (observation: Observation) =>
  observation.deliveries.some(({ replays, attempts }) => replays > 0 && attempts.length > 1);
/** Whether the first genuine notification was sent only after a later one. */
export const wasOvertaken = ({ deliveries }: Observation) => {
  const [first, ...later] = deliveries
    .filter(({ forgery }) => forgery === undefined)
    .map(({ attempts }) => attempts[0]);
  return first !== undefined && later.some((each) => each !== undefined && each.at < first.at);
};

/** The situation of a kind in which nothing goes wrong. */
export function withoutFault(kind: SituationKind, id: string, title: string): Situation {
  return { id, kind, title, invariants: [], hasOccurred: hasSentRequest };
}
