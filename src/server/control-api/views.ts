import { toDecimalText } from '../../base/money.ts';
import type {
  Adjustment as AdjustmentView,
  ClockView,
  DeliveryView,
  EndpointView,
  EventView,
  JobView,
  LinkView,
  MerchantView,
  PaymentTokenView,
  PaymentView,
  PayoutView,
  PlannedAdjustment as PlannedAdjustmentView,
  RecurringPaymentView,
  RequestView,
  Sentence,
  SessionView,
  ShopCodeView,
} from '../../base/schema/generated/control.ts';
import type {
  Delivery,
  Merchant,
  Payment,
  PaymentLink,
  PaymentToken,
  Payout,
  PlannedAdjustment,
  RecurringPayment,
  ShopCode,
  WebhookQueue,
} from '../../base/schema/generated/records.ts';
import { formatDuration, formatUtc } from '../../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { sumOfFees } from '../domain/books/ledger/accounts.ts';
import { adjustmentId, creditId } from '../domain/books/ledger/source-ids.ts';
import { remainderOf } from '../domain/payments/adjustments.ts';
import { paymentStatus } from '../domain/payments/payment-status.ts';
import { creditTotals } from '../domain/payouts/credits.ts';
import { shopCodeText } from '../domain/shop-codes/shop-code-text.ts';
import type { StoryPart } from '../domain/timelines/sentence.ts';
import type { KnownEndpoint } from '../domain/webhooks/endpoints.ts';
import { STANDARD_BEHAVIOUR } from '../sessions/behaviour-name.ts';
import { instantOf } from '../sessions/clock.ts';
import type { ClockReading } from '../sessions/clock-mover.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { Reader } from '../sessions/reader.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { JobStatus } from '../sessions/scheduler.ts';
import type { Session } from '../sessions/session.ts';

// Records in the form of the control API: times as ISO 8601 in UTC, money as decimals. Source: ours.

export function viewTime(instant: number): string;
export function viewTime(instant: number | null): string | null;
export function viewTime(instant: number | null): string | null {
  return instant === null ? null : formatUtc(instant);
}

function withTimes<Item extends { at: number }>(items: readonly Item[]): (Omit<Item, 'at'> & { at: string })[] {
  return items.map((item) => ({ ...item, at: viewTime(item.at) }));
}

export function failureOf(failure: Payment['failure']): Pick<PaymentView, 'failure'> {
  return failure ? { failure: { ...failure, at: viewTime(failure.at) } } : {};
}

function feesOf({ fees }: Pick<Payment, 'fees'>): Pick<PaymentView, 'charges' | 'fees'> {
  const { markUp, serviceProvider, gateway } = fees;
  return {
    charges: toDecimalText(sumOfFees(fees)),
    fees: {
      markUp: toDecimalText(markUp),
      serviceProvider: toDecimalText(serviceProvider),
      gateway: toDecimalText(gateway),
    },
  };
}

export function viewPayment(payment: Payment, fixtures: Fixtures): PaymentView {
  const {
    dueAt: _,
    formId: __,
    payerKey: ___,
    payerBalance,
    failure,
    plannedAdjustments,
    adjustments,
    ...shown
  } = payment;
  return {
    ...shown,
    status: paymentStatus(payment, fixtures).status,
    ...failureOf(failure),
    ...(payerBalance === undefined ? {} : { payerBalance: toDecimalText(payerBalance) }),
    ...(plannedAdjustments ? { plannedAdjustments: plannedAdjustments.map(viewPlannedAdjustment) } : {}),
    ...(adjustments
      ? { left: toDecimalText(remainderOf(payment).left.amount), adjustments: viewAdjustments(payment) }
      : {}),
    createdAt: viewTime(payment.createdAt),
    expiresAt: viewTime(payment.expiresAt),
    amount: toDecimalText(payment.amount),
    ...feesOf(payment),
    shares: payment.shares.map((share) => ({ ...share, amount: toDecimalText(share.amount) })),
    plannedOutcome: payment.plannedOutcome && { ...payment.plannedOutcome, at: viewTime(payment.plannedOutcome.at) },
    history: withTimes(payment.history),
  };
}

function viewAdjustments(payment: Pick<Payment, 'id' | 'adjustments'>): AdjustmentView[] {
  return (payment.adjustments ?? []).map((adjustment, index) => ({
    id: adjustmentId(payment, index),
    ...adjustment,
    amount: toDecimalText(adjustment.amount),
    fee: toDecimalText(adjustment.fee),
    at: viewTime(adjustment.at),
  }));
}

function viewPlannedAdjustment(planned: PlannedAdjustment): PlannedAdjustmentView {
  const { amount, at } = planned;
  return { ...planned, amount: amount === null ? null : toDecimalText(amount), at: viewTime(at) };
}

export function viewPayout(payout: Payout): PayoutView {
  const { dueAt: _, failure, ...shown } = payout;
  const totals = creditTotals(payout.credits);
  const total = (state: keyof typeof totals) => ({ ...totals[state], amount: toDecimalText(totals[state].amount) });
  return {
    ...shown,
    ...failureOf(failure),
    createdAt: viewTime(payout.createdAt),
    total: toDecimalText(payout.total),
    ...feesOf(payout),
    credits: payout.credits.map((credit, index) => ({
      id: creditId(payout, index),
      ...credit,
      amount: toDecimalText(credit.amount),
      plannedOutcomes: withTimes(credit.plannedOutcomes),
      history: withTimes(credit.history),
    })),
    totals: {
      Processing: total('Processing'),
      Paid: total('Paid'),
      Failed: total('Failed'),
      Returned: total('Returned'),
    },
    history: withTimes(payout.history),
  };
}

export function viewLink(link: PaymentLink, session: Session): LinkView {
  return {
    ...link,
    createdAt: viewTime(link.createdAt),
    updatedAt: viewTime(link.updatedAt),
    amount: toDecimalText(link.amount),
    url: session.addresses.link(link.token),
    imageUrl: link.imageId === null ? null : session.addresses.image(link.imageId),
  };
}

export function viewRecurringPayment(recurring: RecurringPayment): RecurringPaymentView {
  const { dueAt, ...shown } = recurring;
  return {
    ...shown,
    failure: recurring.failure && { ...recurring.failure, at: viewTime(recurring.failure.at) },
    createdAt: viewTime(recurring.createdAt),
    cancelledAt: viewTime(recurring.cancelledAt),
    amount: toDecimalText(recurring.amount),
    nextChargeAt: viewTime(dueAt),
  };
}

export function viewPaymentToken(token: PaymentToken): PaymentTokenView {
  return { ...token, createdAt: viewTime(token.createdAt), expiresAt: viewTime(token.expiresAt) };
}

export function viewShopCode(
  code: ShopCode,
  { fixtures, addresses }: Pick<Reader, 'fixtures' | 'addresses'>,
  merchant: Merchant | undefined,
): ShopCodeView {
  const { id, amount, createdAt } = code;
  const url = addresses.shop(id);
  return {
    ...code,
    createdAt: viewTime(createdAt),
    amount: amount === null ? null : toDecimalText(amount),
    text: shopCodeText(code, { fixtures, addresses, merchant }),
    url,
    scanUrl: addresses.scan(id),
    pngUrl: `${url}.png`,
    svgUrl: `${url}.svg`,
  };
}

export function viewDelivery({ dueAt, failure, secret: _, pausedDueAt: __, ...delivery }: Delivery): DeliveryView {
  return {
    ...delivery,
    ...failureOf(failure),
    createdAt: viewTime(delivery.createdAt),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: viewTime(attempt.at) })),
    nextAttemptAt: viewTime(dueAt),
  };
}

export function viewSentence(parts: readonly StoryPart[]): Sentence {
  return parts.map(({ until, ...part }) => (until === undefined ? part : { ...part, until: viewTime(until) }));
}

export function viewEndpoint(
  { previousSecrets: _, ...endpoint }: KnownEndpoint,
  queue: WebhookQueue | undefined,
): EndpointView {
  const { state, failures, failingSince } = queue ?? { state: 'open', failures: 0, failingSince: null };
  return { ...endpoint, queue: { state, failures, failingSince: viewTime(failingSince) } };
}

export function viewMerchant({ merchantApiKey: _, merchantKey: __, ...merchant }: Merchant): MerchantView {
  return merchant;
}

export function viewJob(job: JobStatus & { id: string }): Omit<JobView, 'what'> {
  return { ...job, dueAt: viewTime(job.dueAt) };
}

export function viewEvent(event: SessionEvent): EventView {
  return { ...event, at: viewTime(event.at) };
}

/** A call in a stream of events. It has the id of the last event before the call ended. */
export function viewCall(call: LoggedRequest): EventView {
  const { lastEvent: id, at, id: subjectId } = call;
  const data = { ...viewRequest(call) };
  return { id, at: viewTime(at), type: 'request.answered', collection: null, subjectId, requestId: subjectId, data };
}

/** A call of the request log. It is cast, because a body can be any JSON. */
export function viewRequest({ search: _, parts: __, ...request }: LoggedRequest): RequestView {
  const { findings, events, records } = request;
  const lists = { findings: [...findings], events: events.map(viewEvent), records: [...records] };
  return { ...request, at: viewTime(request.at), ...lists } as RequestView;
}

export function viewSession({ name, state, clock, addresses }: Session): SessionView {
  return viewStoredSession({ name, state: { ...state, clock: clock.state } }, addresses.base);
}

/** A session from its stored state; it need not be in this process. */
export function viewStoredSession({ name, state }: Pick<Session, 'name' | 'state'>, url: string): SessionView {
  const { seed, scenario, behaviour = STANDARD_BEHAVIOUR, clock, forkedFrom } = state;
  const lineage = forkedFrom ? { forkedFrom } : {};
  return { name, url, seed, scenario, behaviour, clock: clock.mode, now: viewTime(instantOf(clock)), ...lineage };
}

export function viewClock({ state, now, nextDue, next }: ClockReading): ClockView {
  return {
    mode: state.mode,
    now: formatUtc(now),
    ahead: state.mode === 'real' && state.offset > 0 ? formatDuration(state.offset) : null,
    nextDue: nextDue === undefined ? null : formatUtc(nextDue),
    next: next ?? null,
  };
}
