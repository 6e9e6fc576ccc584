import { toDecimalText } from '../money.ts';
import type {
  Delivery,
  Merchant,
  Payment,
  PaymentLink,
  PaymentToken,
  Payout,
  RecurringPayment,
} from '../schema/records.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { JobStatus } from '../sessions/scheduler.ts';
import type { Session } from '../sessions/session.ts';
import { formatUtc } from '../time.ts';

/** What the control door shows of a record: times as ISO 8601 in UTC, money as decimals, and no secret. Source: ours. */
export type View = Record<string, unknown>;

const time = (instant: number | null) => (instant === null ? null : formatUtc(instant));

function historyOf(history: Payment['history']): View[] {
  return history.map((entry) => ({ ...entry, at: time(entry.at) }));
}

function failureOf({ failure }: { failure?: { at: number; reason: string } | null }): View {
  return failure ? { failure: { ...failure, at: time(failure.at) } } : {};
}

function settlementOf(settlement: Payment['settlement'] | Payout['settlement']): View | null {
  return settlement && { ...settlement, at: time(settlement.at) };
}

export function viewPayment(payment: Payment): View {
  const { dueAt: _, ...shown } = payment;
  return {
    ...shown,
    ...failureOf(payment),
    createdAt: time(payment.createdAt),
    expiresAt: time(payment.expiresAt),
    amount: toDecimalText(payment.amount),
    charges: toDecimalText(payment.charges),
    shares: payment.shares.map((share) => ({ ...share, amount: toDecimalText(share.amount) })),
    settlement: settlementOf(payment.settlement),
    history: historyOf(payment.history),
  };
}

export function viewPayout(payout: Payout): View {
  const { dueAt: _, ...shown } = payout;
  return {
    ...shown,
    ...failureOf(payout),
    createdAt: time(payout.createdAt),
    total: toDecimalText(payout.total),
    charges: toDecimalText(payout.charges),
    credits: payout.credits.map((credit) => ({ ...credit, amount: toDecimalText(credit.amount) })),
    settlement: settlementOf(payout.settlement),
    history: historyOf(payout.history),
  };
}

export function viewLink(link: PaymentLink, session: Session): View {
  return {
    ...link,
    createdAt: time(link.createdAt),
    updatedAt: time(link.updatedAt),
    amount: toDecimalText(link.amount),
    url: session.addresses.link(link.token),
    imageUrl: link.imageId === null ? null : session.addresses.image(link.imageId),
  };
}

export function viewRecurringPayment(recurring: RecurringPayment): View {
  const { dueAt, ...shown } = recurring;
  return {
    ...shown,
    ...failureOf(recurring),
    createdAt: time(recurring.createdAt),
    cancelledAt: time(recurring.cancelledAt),
    amount: toDecimalText(recurring.amount),
    nextChargeAt: time(dueAt),
  };
}

export function viewPaymentToken(token: PaymentToken): View {
  return { ...token, createdAt: time(token.createdAt), expiresAt: time(token.expiresAt) };
}

export function viewDelivery({ dueAt, secret: _, ...delivery }: Delivery): View {
  return {
    ...delivery,
    ...failureOf(delivery),
    createdAt: time(delivery.createdAt),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: time(attempt.at) })),
    nextAttemptAt: time(dueAt),
  };
}

export function viewMerchant({ merchantApiKey: _, merchantKey: __, ...merchant }: Merchant): View {
  return merchant;
}

export function viewJob(job: JobStatus): View {
  return { ...job, dueAt: time(job.dueAt) };
}

export function viewEvent(event: SessionEvent): View {
  return { ...event, at: time(event.at) };
}

export function viewRequest(request: LoggedRequest): View {
  return { ...request, at: time(request.at) };
}

export function viewSession(session: Session): View {
  const { seed, scenario } = session.state;
  const { mode } = session.clock.state;
  return {
    name: session.name,
    url: session.addresses.base,
    seed,
    scenario,
    clock: mode,
    now: time(session.clock.now()),
  };
}
