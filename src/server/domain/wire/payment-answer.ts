import { ownMember } from '../../../base/members.ts';
import { toDecimalText } from '../../../base/money.ts';
import { qrImage } from '../../../base/qr-image.ts';
import type { Merchant, Payment } from '../../../base/schema/generated/records.ts';
import { formatLocal, formatWithOffset } from '../../../base/time.ts';
import type { AnswerVariable } from '../../config/check-answer.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { fillTemplate, variablesIn } from '../../config/template.ts';
import type { Addresses } from '../../sessions/session-addresses.ts';
import { type Channel, flowOf } from '../channels/channels.ts';

export type InitiationAnswer = Record<string, unknown>;

/** The members of the two forms of an answer, in order. Source: INTERFACE.md, "Payment initiation response". */
const SHORT_FORM = [
  'status',
  'paymentTokenExpiry',
  'paymentTokenDescription',
  'paymentToken',
  'paymentId',
  'paymentRedirectUrl',
] as const;
const LONG_FORM_ONLY = ['paymentResponseMessage', 'paymentProcessedDateTime', 'paymentCode', 'paymentQrCode'] as const;
const LONG_FORM = [...SHORT_FORM, ...LONG_FORM_ONLY];

/**
 * The template of the channel's fixture, with a scenario's changes, filled with the payment's values. Source: INTERFACE.md, "Per-channel
 * response shape".
 */
export function paymentAnswer(
  payment: Payment,
  { fixtures, addresses, merchant }: Pick<Facts, 'fixtures' | 'addresses' | 'merchant'>,
): InitiationAnswer {
  const channel = fixtures.channel(payment.channel);
  if (!channel) {
    throw new Error(`fixtures/channels.json no longer has the channel ${payment.channel}`);
  }
  const { template: templateName, members, unused }: NonNullable<Payment['respond']> = payment.respond ?? {};
  const recordedAnswer = ownMember(channel.recordedAnswers ?? {}, templateName ?? '');
  const baseTemplate = recordedAnswer ?? templateOf(channel, payment, merchant, templateName);
  const template = members ? { ...baseTemplate, ...members } : baseTemplate;
  const variables = variablesOf(template, { payment, channel, fixtures, addresses, merchant });
  const answer = fillTemplate(template, variables) as InitiationAnswer;
  if (recordedAnswer) {
    return answer;
  }
  const unusedValue = unused === 'empty' ? '' : null;
  const completeAnswer: InitiationAnswer = {};
  for (const name of isShortForm(answer, unused) ? SHORT_FORM : LONG_FORM) {
    completeAnswer[name] = answer[name] ?? unusedValue;
  }
  return completeAnswer;
}

/** The interface has only two forms of the answer, so one used member of the long form requires the whole form. */
function isShortForm(answer: InitiationAnswer, unused: NonNullable<Payment['respond']>['unused']): boolean {
  return LONG_FORM_ONLY.every((name) => !(name in answer) || (unused === 'absent' && (answer[name] ?? '') === ''));
}

function templateOf(channel: Channel, payment: Payment, merchant: Merchant, templateName: string | undefined) {
  const profile = merchant.profiles.find(({ id }) => id === payment.profileId);
  const name = templateName ?? (profile?.mode === 'test' ? 'testMode' : 'default');
  // A scenario may ask for a template that only some channels have.
  return ownMember(channel.answers, name) ?? channel.answers.default;
}

interface Facts {
  payment: Payment;
  channel: Channel;
  fixtures: Fixtures;
  addresses: Addresses;
  merchant: Merchant;
}

const VARIABLES: Readonly<Record<AnswerVariable, (facts: Facts) => unknown>> = {
  paymentId: ({ payment }) => payment.paymentId,
  paymentCode: ({ payment }) => payment.paymentCode,
  paymentToken: ({ payment }) => payment.paymentToken,
  paymentTokenExpiry: ({ payment: { expiresAt }, fixtures }) =>
    expiresAt === null ? null : formatWithOffset(expiresAt, fixtures.times.localOffset),
  paymentProcessedDateTime: ({ payment, fixtures }) => formatLocal(payment.createdAt, fixtures.times.localOffset),
  payerReference: ({ payment }) => payment.payerReference,
  payerName: ({ payment }) => payment.payerName,
  merchantId: ({ merchant }) => merchant.id,
  merchantName: ({ merchant }) => merchant.name,
  amount: ({ payment }) => toDecimalText(payment.amount),
  currency: ({ payment }) => payment.currency,
  description: ({ payment }) => payment.description,
  testResultCode: ({ channel }) => channel.testMode?.resultCode ?? null,
  paymentRedirectUrl: payerPageAddress,
  paymentQrCode: (facts) => (facts.payment.paymentCode === null ? null : qrImage(payerPageAddress(facts))),
};

function payerPageAddress({ payment, channel, addresses }: Facts): string {
  return addresses.to(flowOf(channel).pathOf(payment));
}

/** Only the variables that a template contains, because the QR image is expensive to compute. */
function variablesOf(template: object, facts: Facts): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const name of variablesIn(template)) {
    variables[name] = ownMember(VARIABLES, name)?.(facts);
  }
  return variables;
}
