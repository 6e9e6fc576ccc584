import type { DeliveryView, PaymentView, RequestView, TimelineView } from '../base/schema/control.ts';
import type { OrderState, WantedOrder } from './adapter.ts';

/** What a shop can be made to do with an order, where its adapter knows how. */
export const DEEDS = ['restart', 'cancel', 'refund'] as const;
export type Deed = (typeof DEEDS)[number];

/** What was seen of one order, on both sides. */
export interface Observation {
  order: Pick<WantedOrder, 'amount' | 'currency' | 'channel'>;
  /** Undefined where the shop did not say. */
  orderId: string | undefined;
  /** Why the shop refused the order, as the adapter said; undefined where it took it. */
  refused: string | undefined;
  /** What the shop said before the provider had decided; undefined where that was not to be seen. */
  before: OrderState | undefined;
  /** What it said once it had cancelled the order; undefined where it was not made to. */
  cancelled: OrderState | undefined;
  /** What it said once nothing was under way any more. */
  after: OrderState | undefined;
  /** What it said after its own job had looked for what it may have missed; undefined where it did not need to, or has none. */
  reconciled: OrderState | undefined;
  /** What the shop was made to do besides. */
  deeds: readonly Deed[];
  /** Of the provider: all since the case began. */
  payments: readonly PaymentView[];
  deliveries: readonly DeliveryView[];
  requests: readonly RequestView[];
  /** Of each payment. */
  timelines: readonly TimelineView[];
}

/** Words of the shop for states of an order, learnt from orders whose end is known. */
export interface Words {
  /** Before the payer has decided. */
  open: ReadonlySet<string>;
  paid: ReadonlySet<string>;
  /** Of orders whose payment failed, was cancelled or expired. */
  givenUp: ReadonlySet<string>;
}

/** Operations by which a shop asks for money. */
export const INITIATIONS: ReadonlySet<string> = new Set([
  'initiatePayment',
  'initiateBulkPayment',
  'requestPaymentTokenAndPay',
  'payPaymentLink',
]);

/** The calls by which the shop asked for money, the first one first. */
export function initiationsIn({ requests }: Pick<Observation, 'requests'>): RequestView[] {
  return requests.filter(({ operation }) => operation !== null && INITIATIONS.has(operation));
}

/** Payments for which money has come, be it given back since or not. */
export function everPaid({ payments }: Pick<Observation, 'payments'>): PaymentView[] {
  return payments.filter(({ history }) => history.some(({ to }) => to === 'Paid'));
}
