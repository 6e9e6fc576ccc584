import type {
  DeliveryView,
  IntegrationFinding,
  PaymentView,
  PayoutView,
  RequestView,
  TimelineView,
} from '../../base/schema/generated/control.ts';
import type { OrderRequest, OrderState } from '../shop/adapter.ts';

/** Actions of a shop on an order, if its adapter supports them. */
export const SHOP_ACTIONS = ['restart', 'cancel', 'refund', 'backdate'] as const;
export type ShopAction = (typeof SHOP_ACTIONS)[number];

/** A step that the provider does not record, because the examination takes or causes it: in a race, or with a forged notification. */
export interface ExaminerStep {
  /** By the provider's clock. */
  at: string;
  who: 'browser' | 'shop' | 'provider' | 'attacker';
  /** Continues the name of the actor. */
  text: string;
}

export interface RaceResult {
  steps: readonly ExaminerStep[];
  /** The reason why the race could not take place; undefined if it did. */
  missingSupport: string | undefined;
  /** Whether the reason is that the shop refused a second attempt. */
  isRefused?: boolean;
}

/** Calls of an adapter for a payout or a recurring payment. */
export type InstructionCall = 'payOut' | 'subscribe';

/** A payout or a recurring payment that the shop was asked to make, and the records that its calls created. */
export interface Instruction {
  call: InstructionCall;
  records: readonly (Pick<PayoutView, 'id' | 'currency'> & { amount: string })[];
}

/** One order, payout or recurring payment, seen from both sides. */
export interface Observation {
  order: Pick<OrderRequest, 'amount' | 'currency' | 'channel'>;
  /** Undefined if the shop did not return it. */
  orderId: string | undefined;
  /** Why the shop refused the order, or a text that placing it took too long; undefined if it was accepted. */
  refusal: string | undefined;
  /** The shop's state before the provider's decision; undefined if it was not read before that. */
  openState: OrderState | undefined;
  /** The shop's state after it cancelled the order; undefined if it did not. */
  cancelledState: OrderState | undefined;
  /** The shop's state once nothing was due any more, or once the shop had corrected it by itself. */
  finalState: OrderState | undefined;
  /** The shop's state after its reconciliation job; undefined if the job was not needed or does not exist. */
  reconciledState: OrderState | undefined;
  /** Requested actions that the shop did not refuse. */
  actions: readonly ShopAction[];
  /** The notification that the examination itself forged, and the shop's state before it. */
  forged?: { step: ExaminerStep; stateBefore: OrderState | undefined };
  /** Undefined for an order without a race. */
  race?: RaceResult;
  /** Orders that were open at the same time. */
  siblings?: readonly Observation[];
  /** The provider's records since the case began. */
  payments: readonly PaymentView[];
  deliveries: readonly DeliveryView[];
  requests: readonly RequestView[];
  /** Undefined for an order. */
  instruction?: Instruction;
  /** The timeline of each payment or payout. */
  timelines: readonly TimelineView[];
  /** About the shop's calls and answers; undefined in a watch, which does not read them. */
  findings?: readonly IntegrationFinding[];
}

/** Defaults for the shop's side of an order. */
export const NOTHING_SEEN = {
  orderId: undefined,
  refusal: undefined,
  openState: undefined,
  cancelledState: undefined,
  finalState: undefined,
  reconciledState: undefined,
  actions: [],
} as const;

/** Words of the shop for states of an order. */
export interface Words {
  /** Words before the payer has decided. */
  open: ReadonlySet<string>;
  paid: ReadonlySet<string>;
  /** Words for orders whose payment failed, was cancelled or expired. */
  givenUp: ReadonlySet<string>;
  /** Whether an order is open again after such a payment, as the adapter states. */
  reopens?: boolean | undefined;
}

export const NO_WORDS: Words = { open: new Set(), paid: new Set(), givenUp: new Set() };

/** Operations that request a payment: by the shop or, with a payment link, by the payer. */
export const INITIATIONS: ReadonlySet<string> = new Set([
  'initiatePayment',
  'initiateBulkPayment',
  'requestPaymentTokenAndPay',
  'payPaymentLink',
]);

/** The calls that requested a payment, the first one first. */
export function initiationsIn({ requests }: Pick<Observation, 'requests'>): RequestView[] {
  return requests.filter(({ operation }) => operation !== null && INITIATIONS.has(operation));
}

/** Payments that were paid, even if they were refunded since. */
export function paidIn({ payments }: Pick<Observation, 'payments'>): PaymentView[] {
  return payments.filter(({ history }) => history.some(({ to }) => to === 'Paid'));
}
