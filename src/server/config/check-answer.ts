import { membersOf } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import { validate } from '../../base/schema/validation.ts';
import { checkTemplate, fillTemplate } from './template.ts';

/** The variables of a payment's answer, with sample values; see payment-answer.ts. */
const SAMPLE_VALUES = {
  paymentId: 'ORDER-1001',
  paymentCode: '123456789',
  paymentToken: 'header.payload.signature',
  paymentTokenExpiry: '2026-03-01T12:00:00.000+02:00',
  paymentProcessedDateTime: '2026-03-01 12:00:00.000',
  payerReference: 'ORDER-1001',
  payerName: 'Ann Payer',
  merchantId: 'M-1000',
  merchantName: 'Corner Shop',
  amount: '10.00',
  currency: 'USD',
  description: 'Order 1001',
  testResultCode: '000.100.110',
  paymentRedirectUrl: 'http://127.0.0.1:4100/pay/checkout',
  paymentQrCode: 'iVBORw0KGgo=',
};
/** Not every channel answers with a `paymentId`, a code, a token and a QR code. */
const FEWER_SAMPLE_VALUES = {
  ...SAMPLE_VALUES,
  paymentId: null,
  paymentCode: null,
  paymentToken: null,
  paymentTokenExpiry: null,
  paymentQrCode: null,
};

export type AnswerVariable = keyof typeof SAMPLE_VALUES;

type Members = Readonly<Record<string, unknown>>;

const SCHEMA = 'responses/payment';
const AUTH = {
  token: '',
  user: { id: 1, email: '', role: '', token: '' },
  errorResponse: { errorMessage: null, statusCode: 0 },
};
const ANSWER = 'paymentInitiationResponse';

/** An answer that is valid in each member, so that only members laid over it can be wrong. */
function createEmptyAnswer(): Members {
  const { properties } = schemaMembers(SCHEMA)[ANSWER] ?? {};
  return Object.fromEntries(Object.keys(membersOf(properties)).map((name) => [name, '']));
}

/** Findings in a channel's answer template. Filled, it must be a valid answer of the interface. */
export function checkAnswerTemplate(template: Members, path: string, hasTestMode: boolean): Promise<Finding[]> {
  return checkMembers(template, path, {}, hasTestMode);
}

/** Findings in a recorded answer of a service. It may have any members, but only the known placeholders. */
export function checkRecordedAnswer(template: Members, path: string): Finding[] {
  return checkTemplate(template, path, Object.keys(SAMPLE_VALUES));
}

/** Findings in the members that a scenario lays over the answer of a channel. */
export function checkAnswerMembers(members: Members, path: string): Promise<Finding[]> {
  return checkMembers(members, path, createEmptyAnswer(), false);
}

async function checkMembers(members: Members, path: string, base: Members, hasTestMode: boolean): Promise<Finding[]> {
  const templateFindings = checkTemplate(members, path, Object.keys(SAMPLE_VALUES));
  if (templateFindings.length > 0) {
    return templateFindings;
  }
  const fewerValues = hasTestMode ? FEWER_SAMPLE_VALUES : { ...FEWER_SAMPLE_VALUES, testResultCode: null };
  const findings = new Map<string, Finding>();
  for (const variables of [SAMPLE_VALUES, fewerValues]) {
    const answer = fillTemplate({ ...base, ...members }, variables);
    for (const finding of await validate(SCHEMA, { auth: AUTH, [ANSWER]: answer })) {
      const wholePath = path + finding.path.slice(memberPath('$', ANSWER).length);
      findings.set(wholePath, { ...finding, path: wholePath });
    }
  }
  return [...findings.values()];
}
