import type { DeliveryView, PaymentView, RequestView, TimelineView } from '../../base/schema/generated/control.ts';
import { defaultSituation } from '../cases/case.ts';
import { NOTHING_SEEN, type Observation } from '../observation/observation.ts';
import type { Situation } from '../situations/situation.ts';
import { situationOfRule } from './watch-scenario.ts';

/** An order as the traffic shows it: all payments of a merchant with one reference. */
export interface WatchedOrder {
  reference: string;
  /** The situation that the watch planned for it; the one without faults if another rule decided its payment. */
  planned: Situation;
  observation: Observation;
}

/** Origins of payments whose payerReference was set by the shop. */
const ORIGINS: ReadonlySet<PaymentView['origin']> = new Set(['merchant', 'token']);

export type TimelineOfPayment = TimelineView & { record: PaymentView };

/** The traffic since the watch began, or since the last reset of the session. */
export class TrafficLog {
  readonly #requests: RequestView[] = [];
  readonly #payments = new Map<string, PaymentView>();
  readonly #timelines = new Map<string, TimelineView>();
  readonly #deliveries = new Map<string, readonly DeliveryView[]>();

  addRequest(request: RequestView): void {
    this.#requests.push(request);
  }

  addPayment(timeline: TimelineOfPayment, deliveries: readonly DeliveryView[]): void {
    const { record: payment } = timeline;
    if (ORIGINS.has(payment.origin)) {
      this.#payments.set(payment.id, payment);
      this.#timelines.set(payment.id, timeline);
      this.#deliveries.set(payment.id, deliveries);
    }
  }

  get requests(): readonly RequestView[] {
    return this.#requests;
  }

  /** The oldest first. */
  get orders(): WatchedOrder[] {
    const grouped = new Map<string, PaymentView[]>();
    for (const payment of this.#payments.values()) {
      const key = keyOf(payment);
      grouped.set(key, [...(grouped.get(key) ?? []), payment]);
    }
    return [...grouped.values()].flatMap((payments) => this.#orderOf(payments) ?? []);
  }

  /** The order of a payment; undefined if the shop did not request it, or if it is not in this log. */
  orderOfPayment(paymentId: string | null): WatchedOrder | undefined {
    const payment = this.#payments.get(paymentId ?? '');
    const payments = [...this.#payments.values()].filter((each) => payment && keyOf(each) === keyOf(payment));
    return this.#orderOf(payments);
  }

  /** The order whose id or reference a call contains. */
  orderOfCall(request: RequestView): WatchedOrder | undefined {
    const payment = [...this.#payments.values()].find((each) => isAbout(request, [each]));
    return this.orderOfPayment(payment?.id ?? null);
  }

  /** Whether a payment is undecided, or a pending notification was not attempted yet. */
  get isEventPending(): boolean {
    const isAwaited = ({ state, attempts }: DeliveryView) => state === 'pending' && attempts.length === 0;
    return (
      [...this.#payments.values()].some(({ state }) => state === 'Processing') ||
      [...this.#deliveries.values()].some((deliveries) => deliveries.some(isAwaited))
    );
  }

  #orderOf(payments: readonly PaymentView[]): WatchedOrder | undefined {
    const [first] = payments;
    if (!first) {
      return undefined;
    }
    const { amount, currency, channel, payerReference: reference } = first;
    const decided = [first.plannedOutcome, ...first.history].find((each) => each?.decidedBy !== undefined);
    const observation = {
      order: { amount, currency, channel },
      ...NOTHING_SEEN,
      payments,
      deliveries: payments.flatMap(({ id }) => this.#deliveries.get(id) ?? []),
      timelines: payments.flatMap(({ id }) => this.#timelines.get(id) ?? []),
      requests: this.#requests.filter((request) => isAbout(request, payments)).sort(compareArrival),
    };
    return { reference, planned: situationOfRule(decided?.decidedBy) ?? defaultSituation('outcome'), observation };
  }
}

/** Two merchants may use the same reference. */
function keyOf({ merchantId, payerReference }: PaymentView): string {
  return JSON.stringify([merchantId, payerReference]);
}

function isAbout({ merchantId, reference, records }: RequestView, payments: readonly PaymentView[]): boolean {
  return payments.some(
    (payment) =>
      records.some(({ collection, id }) => collection === 'payments' && id === payment.id) ||
      (merchantId === payment.merchantId &&
        reference !== null &&
        [payment.payerReference, payment.paymentId, payment.paymentCode].includes(reference)),
  );
}

/** Compares calls by their ids, which are in order of arrival, because calls are recorded only when they end. */
function compareArrival(one: RequestView, other: RequestView): number {
  return one.id.localeCompare(other.id, 'en', { numeric: true });
}
