import type { AnswerVariable } from '../config/check-answer.ts';
import type { Channel, Fixtures } from '../config/fixtures.ts';
import { fillTemplate } from '../config/template.ts';
import { toDecimalText } from '../money.ts';
import { ownMember } from '../own-member.ts';
import type { Merchant, Payment } from '../schema/records.ts';
import type { Addresses } from '../sessions/addresses.ts';
import { formatProcessed, formatWithOffset } from '../time.ts';
import { qrImage } from './qr-image.ts';

export type InitiationAnswer = Record<string, unknown>;

/** What a scenario changes in the channel's answer. */
export interface AnswerPatch {
  /** Another of the channel's answer templates than the default one. */
  template?: string | undefined;
  /** Members that replace the template's. */
  members?: Readonly<Record<string, unknown>> | undefined;
  /** Send "" instead of null for the members that a channel leaves unused. */
  unused?: 'empty' | undefined;
}

/**
 * A payment as the paymentInitiationResponse of its channel. The words are the fixture's template, the values are the
 * payment's. Source: INTERFACE.md, "Per-channel response shape".
 */
export function paymentAnswer(
  payment: Payment,
  facts: { fixtures: Fixtures; addresses: Addresses; merchant: Merchant },
  patch: AnswerPatch = {},
): InitiationAnswer {
  const channel = facts.fixtures.channel(payment.channel);
  if (!channel) {
    throw new Error(`fixtures/channels.json no longer has the channel ${payment.channel}`);
  }
  const template = { ...templateOf(channel, payment, facts.merchant, patch.template), ...patch.members };
  const answer = fillTemplate(template, variablesOf(payment, channel, facts)) as InitiationAnswer;
  if (patch.unused !== 'empty') {
    return answer;
  }
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, value ?? '']));
}

function templateOf(channel: Channel, payment: Payment, merchant: Merchant, wanted: string | undefined) {
  const profile = merchant.profiles.find(({ id }) => id === payment.profileId);
  const name = wanted ?? (profile?.mode === 'test' ? 'testMode' : 'default');
  // A scenario may ask for a template that only some channels have.
  return ownMember(channel.answers, name) ?? channel.answers.default;
}

/** What templates can name. The image costs the most by far, so it is made only when a template asks for it. */
function variablesOf(
  payment: Payment,
  channel: Channel,
  { fixtures, addresses, merchant }: { fixtures: Fixtures; addresses: Addresses; merchant: Merchant },
): Record<AnswerVariable, unknown> {
  const { localOffset } = fixtures.times;
  const { paymentCode } = payment;
  return {
    paymentId: payment.paymentId,
    paymentCode,
    paymentToken: payment.paymentToken,
    paymentTokenExpiry: payment.expiresAt === null ? null : formatWithOffset(payment.expiresAt, localOffset),
    paymentProcessedDateTime: formatProcessed(payment.createdAt, localOffset),
    payerReference: payment.payerReference,
    payerName: payment.payerName,
    merchantId: merchant.id,
    merchantName: merchant.name,
    amount: toDecimalText(payment.amount),
    currency: payment.currency,
    description: payment.description,
    testResultCode: channel.testMode?.resultCode ?? null,
    get paymentRedirectUrl() {
      return paymentCode === null ? addresses.checkout(payment.paymentId ?? '') : addresses.approval(paymentCode);
    },
    get paymentQrCode() {
      return paymentCode === null ? null : qrImage(addresses.approval(paymentCode));
    },
  };
}
