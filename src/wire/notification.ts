import type { Fixtures } from '../config/fixtures.ts';
import { fillTemplate } from '../config/template.ts';
import { chargesOf } from '../domain/payments/fees.ts';
import { toDecimalNumber } from '../money.ts';
import { ownMember } from '../own-member.ts';
import type { Payment, Payout } from '../schema/records.ts';
import type { NotificationResponse } from '../schema/responses.ts';
import { formatWithOffset, type Instant } from '../time.ts';

/** The notification body of INTERFACE.md, "Events"; also the answer of the status query. */
type Notification = NotificationResponse;

/** A payment's notification. paymentMethod is the wallet name that the merchant used. */
export function paymentNotification(payment: Payment, fixtures: Fixtures): Notification {
  return {
    ...told(payment, fixtures),
    paymentReference: payment.payerReference,
    paymentMethod: payment.walletName,
    paymentDate: dateOf(payment, fixtures),
  };
}

/** A payout's notification; its method is the bank that was debited. */
export function payoutNotification(payout: Payout, fixtures: Fixtures): Notification {
  return {
    ...told({ ...payout, amount: payout.total }, fixtures),
    paymentReference: payout.payerReference,
    paymentMethod: payout.debit.bankName,
    paymentDate: dateOf(payout, fixtures),
  };
}

/** The webhook tester's sample for a webHookType; undefined for a type that the fixture does not have. */
export function sampleNotification(type: string, now: Instant, fixtures: Fixtures): Notification | undefined {
  const sample = ownMember(fixtures.webhookSamples.samples, type);
  const variables = { now: formatWithOffset(now, fixtures.times.notificationOffset) };
  return sample && (fillTemplate(sample, variables) as Notification);
}

type Told = Pick<Payment, 'state' | 'history' | 'currency' | 'amount' | 'fees'>;

function told({ state, history, currency, amount, fees }: Told, fixtures: Fixtures) {
  const words = fixtures.paymentStates[state];
  return {
    status: words.word,
    description: history.at(-1)?.description ?? words.description,
    paymentCurrency: currency,
    paymentAmount: toDecimalNumber(amount),
    paymentCharges: toDecimalNumber(chargesOf(fees)),
  };
}

function dateOf({ history, createdAt }: Pick<Payment, 'history' | 'createdAt'>, fixtures: Fixtures): string {
  return formatWithOffset(history.at(-1)?.at ?? createdAt, fixtures.times.notificationOffset);
}
