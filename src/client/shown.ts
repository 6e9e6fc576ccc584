import type {
  Adjustment,
  ClockView,
  CoverageView,
  DeliveryView,
  EndpointView,
  EventView,
  ExaminationView,
  HistoryView,
  IntegrationFinding,
  PaymentView,
  PayoutView,
  SessionView,
  TimelineView,
} from '../base/schema/generated/control.ts';
import type { NotificationResponse } from '../base/schema/generated/responses.ts';

// Types of the control API's answers, from schemas/control/. Times in ISO 8601, money as decimal text.

/** A record of any kind. */
export type Shown = Record<string, unknown> & { id: string };

export interface ShownList<Item> {
  items: Item[];
  nextCursor: string | null;
}

export type ShownPayment = Shown & PaymentView;
export type ShownPayout = Shown & PayoutView;
export type ShownCredit = PayoutView['credits'][number];
/** A delivery as the control API returns it. */
export type DeliveryAnswer = Shown & DeliveryView;
/** A delivery with its parsed notification. */
export type ShownDelivery = DeliveryAnswer & {
  /** The parsed body; null if it is not JSON. */
  notification: NotificationResponse | null;
};
export type ShownEndpoint = Shown & EndpointView;
export type ShownFinding = IntegrationFinding;
/** A change of a payment after it was paid, such as a refund. */
export type ShownAdjustment = Adjustment;
export type ShownEvent = EventView;
/** Whether a sandbox can examine a shop, and its verdicts so far. */
export type ShownExamination = ExaminationView;
/** The steps of a session, by which two sessions are compared. */
export type ShownHistory = HistoryView;
/** Which behaviours of the provider the code under test has seen. */
export type ShownCoverage = CoverageView;
export type ShownClock = ClockView;
export type ShownSession = SessionView;
/** Past and planned steps of a payment, payout or settlement, with the record. */
export type ShownTimeline = TimelineView;

export function showDelivery(delivery: DeliveryAnswer): ShownDelivery {
  let notification: NotificationResponse | null = null;
  try {
    notification = JSON.parse(delivery.body) as NotificationResponse;
  } catch {
    // The body is not JSON.
  }
  return { ...delivery, notification };
}
