import { plural } from '../base/text/plural.ts';
import { printableLines } from '../base/text/printable.ts';
import { joinShort, shorten } from './short.ts';
import type { ShownClock, ShownDelivery, ShownEndpoint, ShownEvent, ShownPayment } from './shown.ts';

/** The state of a session when a wait in it timed out; if the wait was not about deliveries, only its clock. */
export interface Diagnostics {
  clock?: ShownClock;
  /** A page of notifications, newest first; if the wait named a payment, or a payout by its id, only those about it. */
  deliveries?: readonly ShownDelivery[];
  /** Where notifications go. */
  endpoints?: readonly ShownEndpoint[];
  /** The payment that the wait named; null if no payment has that id or reference. */
  payment?: ShownPayment | null;
  /** Why the state could not be fetched. */
  problem?: string;
}

/** The state of the session, and the events that the wait read before it timed out. */
export interface Seen extends Diagnostics {
  /** The events that the wait read, in order. */
  events: readonly ShownEvent[];
  /** Events that this client's earlier waits of the same kind have returned since the last reset or restore. */
  returned: readonly ShownEvent[];
}

const MAX_SHOWN_DELIVERIES = 5;

/** A wait timed out. The message shows what happened instead; `seen` has the same data for programs. */
export class WaitTimeoutError extends Error {
  readonly seen: Seen;

  constructor(problem: string, seen: Seen) {
    super(printableLines([problem, ...linesOf(seen).map((line) => `  ${line}`)].join('\n')));
    this.name = 'WaitTimeoutError';
    this.seen = seen;
  }
}

function linesOf({ clock, deliveries, endpoints, payment, problem, ...eventsRead }: Seen): string[] {
  return [
    ...(payment === undefined ? [] : [`payment: ${wordsForPayment(payment)}`]),
    ...(deliveries === undefined ? [] : linesOfDeliveries(deliveries, eventsRead.returned)),
    ...(endpoints === undefined ? [] : [`endpoints: ${wordsForEndpoints(endpoints)}`]),
    ...(clock === undefined ? [] : [`clock: ${wordsForClock(clock)}`]),
    `events: ${wordsForEvents(eventsRead)}`,
    ...(problem === undefined ? [] : [`further details could not be fetched: ${problem}`]),
  ];
}

function wordsForPayment(payment: ShownPayment | null): string {
  if (payment === null) {
    return 'none with that id or reference';
  }
  const { id, payerReference, state } = payment;
  const hint = state === 'Processing' ? '; settle it, or advance the clock' : '';
  return `${id} (${payerReference}) is ${state}${hint}`;
}

function linesOfDeliveries(deliveries: readonly ShownDelivery[], returned: readonly ShownEvent[]): string[] {
  if (deliveries.length === 0) {
    return ['deliveries: none'];
  }
  const returnedIds = returned.map(({ subjectId }) => subjectId);
  const listed = deliveries.slice(0, MAX_SHOWN_DELIVERIES);
  const omitted = deliveries.length - listed.length;
  return [
    'deliveries:',
    ...listed.map((delivery) => {
      const { id, type, subjectId, url } = delivery;
      const remark = returnedIds.includes(id) ? '; an earlier wait returned it' : '';
      return `  ${id} (${type}, ${subjectId}) to ${shorten(url)}: ${wordsForState(delivery)}${remark}`;
    }),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
  ];
}

function wordsForState({ state, attempts, nextAttemptAt, webhookBehaviour }: ShownDelivery): string {
  const count = plural(attempts.length, 'attempt');
  const error = attempts.at(-1)?.error ?? null;
  const last = error === null ? '' : `, the last one failed: ${shorten(error)}`;
  const next = nextAttemptAt === null ? '' : `; next attempt at ${nextAttemptAt}`;
  return state === 'dropped' && webhookBehaviour.mode === 'dropped'
    ? 'dropped by the scenario'
    : `${state}, ${count}${last}${next}`;
}

function wordsForEndpoints(endpoints: readonly ShownEndpoint[]): string {
  const texts = endpoints.map(({ url, types, merchantId }) => {
    const filters = [...(types ?? []), ...(merchantId === null ? [] : [merchantId])];
    return filters.length === 0 ? shorten(url) : `${shorten(url)} (only ${filters.join(', ')})`;
  });
  return texts.length === 0 ? 'none; set one with setEndpoints' : joinShort(texts);
}

function wordsForClock({ mode, now, nextDue }: ShownClock): string {
  const isFrozen = mode === 'frozen';
  const due = nextDue === null ? 'nothing is due' : `next due at ${nextDue}${isFrozen ? ', once it is advanced' : ''}`;
  return `${isFrozen ? `frozen at ${now}` : 'real'}; ${due}`;
}

/** Newest first, because the last events usually explain the timeout. */
function wordsForEvents({ events, returned }: Pick<Seen, 'events' | 'returned'>): string {
  const isReturned = (id: number) => returned.some((event) => event.id === id);
  const texts = events.map(({ id, type }) => (isReturned(id) ? `${type} (an earlier wait returned it)` : type));
  return texts.length === 0 ? 'none' : `${joinShort(texts.reverse())}${texts.length > 1 ? ', newest first' : ''}`;
}
