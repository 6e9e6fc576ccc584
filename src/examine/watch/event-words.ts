import type { RequestView } from '../../base/schema/generated/control.ts';
import type { ShownEvent } from '../../client/shown.ts';
import type { TrafficLog, WatchedOrder } from './traffic-log.ts';

/** The event of a call of the merchant API. */
export type CallEvent = ShownEvent & { data: RequestView };

export function isCall(event: ShownEvent): event is CallEvent {
  return event.type === 'request.answered';
}

/** Undefined for an event that needs no line. */
export function describeEvent(event: ShownEvent, trafficLog: TrafficLog): string | undefined {
  if (isCall(event)) {
    return describeCall(event.data, trafficLog);
  }
  const [subject, change] = event.type.split('.');
  const order = trafficLog.orderOfPayment(subject === 'delivery' ? paymentOf(event) : event.subjectId);
  if (!order) {
    return undefined;
  }
  const words =
    subject === 'delivery'
      ? describeDelivery(event)
      : change === 'created'
        ? describeOrder(order)
        : describeChange(event, order);
  return words && `${order.reference}: ${words}`;
}

/** The id of the payment of a notification. */
export function paymentOf({ data }: ShownEvent): string | null {
  return typeof data['subject'] === 'string' ? data['subject'] : null;
}

function describeOrder({ planned, observation }: WatchedOrder): string {
  const { order, payments, requests } = observation;
  if (payments.length === 1) {
    return `the shop requests ${order.amount} ${order.currency} on ${order.channel}; situation: ${planned.title}`;
  }
  const before = payments.at(-2)?.createdAt ?? '';
  const hasQueried = requests.some(({ operation, at }) => operation === 'getPaymentStatus' && at >= before);
  return `the shop requests the payment again${hasQueried ? '' : ', without a status query since the last request'}`;
}

function describeChange({ type, subjectId }: ShownEvent, { observation }: WatchedOrder): string | undefined {
  const payment = observation.payments.find(({ id }) => id === subjectId);
  const isDropped = observation.deliveries.some((each) => each.subjectId === subjectId && each.state === 'dropped');
  const silence = isDropped && type === 'payment.paid' ? '; no notification is sent' : '';
  return payment && `${payment.id} is ${payment.status}${silence}`;
}

function describeDelivery({ data: { status, error, event, forgery } }: ShownEvent): string {
  const what = forgery === undefined ? `notification ${event}` : `forged notification (${forgery}) that says Paid`;
  return `${what}: ${typeof status === 'number' ? `the shop answers ${status}` : error}`;
}

function describeCall(request: RequestView, trafficLog: TrafficLog): string | undefined {
  const { method, path, operation, answer, reason } = request;
  const order = trafficLog.orderOfCall(request);
  if (order && operation === 'getPaymentStatus') {
    return `${order.reference}: the shop queries the status: ${answer === null ? 'no answer' : `answered ${answer.status}`}`;
  }
  return reason === null ? undefined : `a request is refused: ${method} ${path}: ${reason}`;
}
