import { INITIATIONS, type Observation } from './observation.ts';
import type { Subject } from './scope.ts';

// At one moment of the clock: the call, what becomes of the payment, its notification, and what the shop asks then.

/** Who asks for the money, who takes notifications, and who says what became of the order. */
const PARTIES: Readonly<Record<Subject, { payer: string; receiver: string; witness: string }>> = {
  shop: { payer: 'shop', receiver: 'shop', witness: 'shop' },
  receiver: { payer: 'probe', receiver: 'receiver', witness: 'check' },
};

const isInitiation = (operation: string | null) => operation !== null && INITIATIONS.has(operation);

/** What happened, a line each: what the shop did, and what the provider did. */
export function storyOf(observation: Observation, subject: Subject): string[] {
  const { payer, receiver, witness } = PARTIES[subject];
  const { requests, deliveries, payments } = observation;
  const lines = [
    ...requests.map(({ at, operation, method, path, reference, answer, fault }) => ({
      at,
      order: isInitiation(operation) ? 0 : 3,
      text: `${isInitiation(operation) ? payer : receiver} calls ${method} ${path}${reference === null ? '' : ` of ${reference}`}: ${fault ?? `answered ${answer?.status ?? 'nothing'}`}`,
    })),
    ...payments.flatMap(({ id, history }) =>
      history.map(({ at, to }) => ({ at, order: 1, text: `provider: ${id} is ${to}` })),
    ),
    ...deliveries.flatMap(({ id, type, forgery, webhookBehaviour, attempts, state }) =>
      attempts.length === 0
        ? [{ at: '', order: 0, text: `provider: notification ${type} is ${state}` }]
        : attempts.map(({ at, status, error }) => ({
            at,
            order: 2,
            text: `provider sends ${id}, ${type}${forgery === undefined ? '' : `, forged (${forgery})`}${webhookBehaviour.mode === 'tampered' ? ', changed on its way' : ''}: ${error ?? `${receiver} answers ${status}`}`,
          })),
    ),
  ];
  const said = (words: string, state: Observation['after']) =>
    state
      ? [`${witness} says ${words}: ${state.state}, fulfilled ${state.fulfilments} times, paid ${state.paidAmount}`]
      : [];
  return [
    `order of ${observation.order.amount} ${observation.order.currency} by ${observation.order.channel}${observation.refused === undefined ? '' : `, refused: ${observation.refused}`}`,
    ...counted(lines.sort((one, other) => one.at.localeCompare(other.at) || one.order - other.order)),
    ...said('before', observation.before),
    ...said('in the end', observation.after),
    ...said('after reconcile', observation.reconciled),
  ];
}

/** The same line again and again, as of a shop that polls, is told once. */
function counted(lines: readonly { at: string; text: string }[]): string[] {
  const told: { at: string; text: string; times: number }[] = [];
  for (const { at, text } of lines) {
    const last = told.at(-1);
    if (last?.text === text) {
      last.times += 1;
    } else {
      told.push({ at, text, times: 1 });
    }
  }
  return told.map(({ at, text, times }) => `${at.slice(0, 19)} ${text}${times > 1 ? `, ${times} times` : ''}`);
}
