import type { OrderState } from './adapter.ts';
import { everPaid, initiationsIn, type Observation, type Words } from './observation.ts';

export type InvariantId = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12';

/** Whether it holds; undefined where that cannot be seen. `state` is what the shop says in the end. */
type Judge = (observation: Observation, state: OrderState | undefined, words: Words) => boolean | undefined;

/** What must be so whatever happens. Source: ours, from public bugs of shops and providers' check lists. */
export interface Invariant {
  id: InvariantId;
  sentence: string;
  why: string;
  mend: string;
  /** Where money or goods are gone, no job of the shop's own can put it right afterwards. */
  isMendable: boolean;
  /** Why it cannot be seen, where that is known. */
  unseen?(observation: Observation): string | undefined;
  judge: Judge;
}

/** THE TABLE of invariants. */
export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    sentence: 'An order is never fulfilled unless it is paid.',
    why: 'Goods that leave without money are gone.',
    mend: 'Fulfil when the provider says Paid, by a notification that verifies or by the status query; never when the call was answered or the payer came back.',
    isMendable: false,
    judge: (observation, state, words) =>
      state &&
      (observation.before?.fulfilments ?? 0) === 0 &&
      (everPaid(observation).length > 0 || (state.fulfilments === 0 && !words.paid.has(state.state))),
  },
  {
    id: 'I2',
    sentence: 'An order is fulfilled once, however often and however close together it is told that it is paid.',
    why: 'Notifications are repeated by design, and two of them may be handled at the same moment.',
    mend: 'Fulfil in the transaction that moves the order from open to paid, under a lock or a unique constraint; a second one finds nothing to do.',
    isMendable: false,
    judge: (_observation, state) => state && state.fulfilments <= 1,
  },
  {
    id: 'I3',
    sentence: 'An order is never paid twice.',
    why: 'A customer who is charged twice asks for the money back, or has the card company do so.',
    mend: 'Keep the reference before the first call, and ask for its status before you call again.',
    isMendable: false,
    judge: (observation) => everPaid(observation).filter((payment) => !isLate(payment)).length <= 1,
  },
  {
    id: 'I4',
    sentence: 'A paid order is fulfilled in the end, also where the answer or the notification was lost or came early.',
    why: 'The customer has paid and gets nothing.',
    mend: 'Ask for the status of open orders from time to time, until each has an end. Keep the order before the call, so that an early notification finds it.',
    isMendable: true,
    judge: (observation, state) => (isOwed(observation) ? state && state.fulfilments >= 1 : undefined),
  },
  {
    id: 'I5',
    sentence: 'The amount and the currency are those of the order, on both sides.',
    why: 'A payment of 0.10 for an order of 10.00 is no payment.',
    mend: 'Send amounts as the interface writes them, and compare amount and currency of what was paid with the order before it is fulfilled.',
    isMendable: false,
    judge: ({ order, ...observation }, state, words) =>
      observation.payments.every(({ amount, currency }) => amount === order.amount && currency === order.currency) &&
      (state && words.paid.has(state.state) && isKept(observation)
        ? Number(state.paidAmount) === Number(order.amount)
        : true),
  },
  {
    id: 'I6',
    sentence: 'What is known later is not undone by older news.',
    why: 'A failure that is told once more after the payment came through takes a paid order away again.',
    mend: 'Ask for the status when a notification contradicts what you know, or let states only go forward.',
    isMendable: true,
    judge: (observation, state, words) =>
      isKept(observation) &&
      everPaid(observation).some(isLate) &&
      state &&
      (state.fulfilments > 0 || Number(state.paidAmount) > 0)
        ? !isGivenUp(state, words)
        : undefined,
  },
  {
    id: 'I7',
    sentence: 'A notification that is forged or was changed does nothing.',
    why: 'The address of a receiver is no secret: anybody can send to it.',
    mend: 'Verify signature and timestamp over the bytes as they came, and compare reference and amount; or take a notification as a hint alone, and ask for the status.',
    isMendable: false,
    judge: (observation, state, words) =>
      state &&
      (observation.before === undefined ||
        (observation.before.fulfilments === 0 && !words.paid.has(observation.before.state))) &&
      (everPaid(observation).length > 0 || (state.fulfilments === 0 && !words.paid.has(state.state))) &&
      !(isChanged(observation) && words.paid.has(state.state) && !isWhole(state, observation)),
  },
  {
    id: 'I8',
    sentence: 'A refund, a reversal and a chargeback are reflected.',
    why: 'An order that looks paid and is not makes the books wrong.',
    mend: 'Take notifications of what happens after the payment, and lower what is paid or change the state.',
    isMendable: true,
    judge: ({ payments, order, deeds }, state, words) =>
      deeds.includes('refund') || payments.some(({ adjustments = [] }) => adjustments.length > 0)
        ? state && !(words.paid.has(state.state) && Number(state.paidAmount) === Number(order.amount))
        : undefined,
  },
  {
    id: 'I9',
    unseen: ({ deliveries }) => {
      const answers = new Set(
        deliveries.flatMap(({ attempts }) => attempts.map(({ status, error }) => status ?? error)),
      );
      return answers.size === 0
        ? undefined
        : `every notification was answered ${[...answers].join(', ')}: does the shop verify with its WEBHOOK_SECRET?`;
    },
    sentence: 'A notification is acknowledged in time, and only once it is kept.',
    why: 'One that was answered with 2xx never comes again.',
    mend: 'Store the notification, answer, then process it; or answer with an error while you cannot process it.',
    isMendable: true,
    judge: (observation, state) => {
      const told = observation.deliveries.filter(
        ({ forgery, attempts }) => forgery === undefined && attempts.length > 0,
      );
      if (told.length === 0 || !isOwed(observation)) {
        return undefined;
      }
      const isTaken = told.some(({ state: ended }) => ended === 'delivered');
      return isTaken ? state && state.fulfilments >= 1 : undefined;
    },
  },
  {
    id: 'I10',
    sentence: 'Where it is not known what became of a call, the shop asks before it pays again.',
    why: 'An answer that is lost says nothing about the payment.',
    mend: 'After a timeout, a broken answer or a 5xx, ask for the status by your reference; call again with the same reference only where there is no payment.',
    isMendable: false,
    judge: asksFirst,
  },
  {
    id: 'I11',
    sentence: 'A payment that failed, was cancelled or expired is seen by the shop.',
    why: 'The customer waits for an order that will never be paid, and cannot try again.',
    mend: 'Give every ending a state of its own, and let the customer pay once more.',
    isMendable: true,
    judge: (observation, state, words) =>
      observation.payments.length > 0 && everPaid(observation).length === 0
        ? state && !words.open.has(state.state) && !words.paid.has(state.state)
        : undefined,
  },
  {
    id: 'I12',
    sentence: 'A payment that comes through late is honoured or given back, and never dropped.',
    why: 'The money is there, and the order is given up.',
    mend: 'Take a later Paid: fulfil the order, or mark it to be refunded.',
    isMendable: true,
    judge: (observation, state, words) =>
      everPaid(observation).some(isLate) || isPaidAfterCancel(observation)
        ? state &&
          (state.fulfilments >= 1 ||
            Number(state.paidAmount) === Number(observation.order.amount) ||
            !(isGivenUp(state, words) || state.state === observation.cancelled?.state))
        : undefined,
  },
];

type Payment = Observation['payments'][number];

/** It had ended otherwise before it was paid. */
function isLate({ history }: Payment): boolean {
  return (
    history.findIndex(({ to }) => to === 'Paid') > history.findIndex(({ to }) => to === 'Failed' || to === 'Expired') &&
    history.some(({ to }) => to === 'Failed' || to === 'Expired')
  );
}

/** A notification was changed on its way. */
function isChanged({ deliveries }: Observation): boolean {
  return deliveries.some(({ webhookBehaviour }) => webhookBehaviour.mode === 'tampered');
}

function isWhole({ paidAmount }: OrderState, { order, payments, deeds }: Observation): boolean {
  const isGivenBack = deeds.includes('refund') || payments.some(({ adjustments = [] }) => adjustments.length > 0);
  return isGivenBack || Number(paidAmount) === Number(order.amount);
}

/** The money came, and was not given back. */
function isKept(observation: Pick<Observation, 'payments' | 'deeds'>): boolean {
  return (
    !observation.deeds.includes('refund') &&
    everPaid(observation).some((payment) => (payment.adjustments ?? []).length === 0 && payment.state === 'Paid')
  );
}

/** The goods have to leave. For an order that was given up before it was paid, the shop may as well give the money back. */
function isOwed(observation: Pick<Observation, 'payments' | 'deeds'>): boolean {
  const isInTime = everPaid(observation).some((payment) => !isLate(payment));
  return isKept(observation) && isInTime && !observation.deeds.includes('cancel');
}

function isGivenUp({ state }: OrderState, { open, givenUp }: Words): boolean {
  return open.has(state) || givenUp.has(state);
}

function isPaidAfterCancel(observation: Observation): boolean {
  return observation.deeds.includes('cancel') && isKept(observation);
}

function asksFirst(observation: Observation): boolean | undefined {
  const [first, second] = initiationsIn(observation);
  if (!first || first.fault === null) {
    return undefined;
  }
  const wasDone = first.records.some(({ collection }) => collection === 'payments');
  if (!second || !wasDone) {
    return true;
  }
  const { requests } = observation;
  return requests
    .slice(requests.indexOf(first) + 1, requests.indexOf(second))
    .some(({ operation }) => operation === 'getPaymentStatus');
}

export function invariantOf(id: InvariantId): Invariant {
  const found = INVARIANTS.find((invariant) => invariant.id === id);
  if (!found) {
    throw new Error(`there is no invariant ${id}`);
  }
  return found;
}
