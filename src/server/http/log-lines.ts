import { redact } from '../../base/masking/redact.ts';
import { describeFinding, type Finding } from '../../base/refusal.ts';
import { formatUtc } from '../../base/time.ts';
import type { LogLevel } from '../config/settings.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedCall, LoggedRequest } from '../sessions/request-log.ts';

/** A line of the access log, as fields for programs and in words for people. Both are functions, so that only written lines cost time. */
export interface LogLine {
  level: LogLevel;
  /** The kind of line, for programs. */
  name: string;
  fields(): Readonly<Record<string, unknown>>;
  words(): string;
}

const MAX_FINDINGS = 5;
const MAX_REASON_LENGTH = 1000;

export function lineOfCall(call: LoggedCall): LogLine {
  return {
    level: call.hasProblem ? 'warn' : 'info',
    name: 'request',
    fields: () => fieldsOf(call.describe()),
    words: () => {
      const entry = call.describe();
      return `${wordsOfCall(entry)}${inSession(entry.session)}`;
    },
  };
}

function fieldsOf(entry: LoggedRequest): Record<string, unknown> {
  const { method, path, operation, answer, milliseconds, id, session, reference, outcome, reason, findings } = entry;
  const event = mainEvent(entry.events);
  return {
    method,
    path,
    operation,
    status: answer?.status ?? null,
    ms: milliseconds,
    request: id,
    session,
    reference,
    outcome,
    ...(reason === null ? {} : { reason }),
    ...(findings.length === 0 ? {} : { findings: findings.slice(0, MAX_FINDINGS) }),
    ...(event ? { subject: event.subjectId, ...event.data } : {}),
  };
}

/** A call of the merchant API that was refused before it had a session, and so is not in a request log. */
export interface CallWithoutSession {
  method: string;
  path: string;
  operation: string | null;
  /** The name of the requested session. */
  session: string;
  status: number;
  outcome: string;
  reason: string;
}

export function lineOfCallWithoutSession(call: CallWithoutSession): LogLine {
  const { method, path, operation, status, outcome, reason } = call;
  return {
    level: 'warn',
    name: 'request',
    fields: () => ({ ...call }),
    words: () => `${method} ${path} ${operation ?? '-'} ${status}: ${reason} (${outcome})`,
  };
}

/** From the request log, or from the event stream of the control API. */
export type CallFields = Pick<
  LoggedRequest,
  'id' | 'method' | 'path' | 'operation' | 'milliseconds' | 'reference' | 'outcome' | 'reason' | 'findings'
> & { answer: { status: number } | null; events: readonly EventFields[] };

/** From the event log, or from the control API. */
export type EventFields = Pick<SessionEvent, 'type' | 'subjectId' | 'data'> & { collection: string | null };

export function wordsOfCall(call: CallFields): string {
  const { method, path, operation, answer, milliseconds, id, reference, outcome, reason, findings } = call;
  const event = mainEvent(call.events);
  const head = `${method} ${path} ${operation ?? '-'} ${answer?.status ?? 'no answer'} ${milliseconds}ms ${id}`;
  const facts = event ? `: ${factsOfEvent(event)}` : reference === null ? '' : ` ${reference}`;
  const explanation = reason === null ? warningsIn(findings) : `: ${reasonIn(reason, findings)}`;
  return `${head}${facts}${explanation}${outcome === null ? '' : ` (${outcome})`}`;
}

/** The first event; the implicit registration of the merchant only if there is no other. */
function mainEvent<Event extends EventFields>(events: readonly Event[]): Event | undefined {
  return events.find(({ type }) => type !== 'merchant.registered') ?? events[0];
}

/** The record of an event with its details: "payment-1: ORDER-1, 10.00 USD on qr-wallet, by the payer". */
export function factsOfEvent(event: EventFields): string {
  const { type, data } = event;
  const [recordKind, step = ''] = type.split('.');
  return `${subjectOf(event)}${recordKind === 'delivery' ? `: ${attemptIn(step, data)}` : factsIn(event)}`.replace(
    /^: /,
    '',
  );
}

/** Events that are not logged, because the line about their call, or another line, reports them. */
const LOGGED_ELSEWHERE: ReadonlySet<string> = new Set([
  'payout.created',
  'link.created',
  'link.updated',
  'token.created',
  'recurring.added',
  'recurring.cancelled',
  'job.failed',
  'fixtures.reloaded',
  'fixtures.refused',
]);

const PROBLEMS: ReadonlySet<string> = new Set([
  'delivery.failed',
  'delivery.given-up',
  'recurring.failed',
  'endpoint.halted',
  'endpoint.switched-off',
]);

/** The line about an event of a session; undefined if another line reports it. */
export function lineOfEvent(session: string, event: SessionEvent): LogLine | undefined {
  const { id, at, type, subjectId } = event;
  const isReportedByCall = type === 'payment.created' && ['merchant', 'token'].includes(String(event.data['origin']));
  if (isReportedByCall || LOGGED_ELSEWHERE.has(type)) {
    return undefined;
  }
  const data = () => redact(event.data);
  return {
    level: PROBLEMS.has(type) ? 'warn' : 'info',
    name: type,
    fields: () => {
      // In the line of a delivery, `subject` is the delivery, and `of` is the record that it reports (`subject` in its data).
      const { subject, of = subject, ...others } = data();
      return { session, event: id, at: formatUtc(at), ...others, of, subject: subjectId };
    },
    words: () => `${wordsOfEvent({ ...event, data: data() })}${inSession(session)}`,
  };
}

/** An event in words: "payment-1 is Paid: ORDER-1, 10.00 USD on qr-wallet, by the payer". */
function wordsOfEvent(event: EventFields): string {
  const { type, data } = event;
  const [recordKind = '', step = ''] = type.split('.');
  const subject = subjectOf(event);
  if (recordKind === 'delivery') {
    return `${subject} ${step === 'succeeded' ? '' : 'not '}delivered: ${attemptIn(step, data)}`;
  }
  const isCredit = type.startsWith('payout.credit-');
  const change = CHANGE_WORDS[isCredit ? step.slice('credit-'.length) : step];
  const part = isCredit ? ` credit ${data['number']} of ${data['of']}` : '';
  const settlementState = recordKind === 'settlement' ? `is ${data['state']}` : undefined;
  const words = recordKind === 'payment' || recordKind === 'payout' ? change : settlementState;
  return `${subject === '' ? recordKind : subject}${part} ${words ?? step}${factsIn(event)}`;
}

const CHANGE_WORDS: Readonly<Record<string, string>> = {
  paid: 'is Paid',
  failed: 'is Failed',
  cancelled: 'is Cancelled',
  expired: 'is Expired',
  'partly-paid': 'is PartlyPaid',
  returned: 'is Returned',
  refunded: 'was refunded',
  reversed: 'was reversed',
  'charged-back': 'was charged back',
  'chargeback-reversed': 'has its chargeback reversed',
};

function attemptIn(step: string, data: SessionEvent['data']): string {
  const attempt = `${data['event']} of ${data['subject']} to ${data['url']}, attempt ${data['attempt']}`;
  if (step === 'succeeded') {
    return `${attempt}, answered ${data['status']}`;
  }
  const { nextAttemptAt: at } = data;
  const next =
    step === 'given-up' ? 'given up' : at === null ? 'held until its endpoint is resumed' : `next attempt at ${at}`;
  return `${attempt}: ${data['error']}; ${next}`;
}

/** Records whose ids are bare numbers. */
const NUMBERED_KINDS: Readonly<Record<string, string>> = { links: 'link', recurringPayments: 'recurring payment' };

function subjectOf({ collection, subjectId }: EventFields): string {
  const kind = collection === null ? undefined : NUMBERED_KINDS[collection];
  return subjectId === null ? '' : kind === undefined ? subjectId : `${kind} ${subjectId}`;
}

/** The cause of a payment's outcome. An outcome that a scenario or a fixture chose when the payment was created is "as planned". */
const CAUSES: Readonly<Record<string, string>> = {
  merchant: 'by the merchant',
  payer: 'by the payer',
  control: 'by the control API',
  clock: 'at the due time',
  scenario: 'as planned',
};

function factsIn({ type, data }: EventFields): string {
  const { reference, amount, currency, channel, left, charge, payment, cause, code, description, reason, failedTries } =
    data;
  const facts = [
    reference,
    amount === undefined ? undefined : `${amount} ${currency}${channel === undefined ? '' : ` on ${channel}`}`,
    left === undefined ? undefined : `${left} left`,
    type.endsWith('.created') ? futureIn(data) : undefined,
    charge === undefined ? undefined : `charge ${charge} as ${payment}`,
    failedTries === undefined ? undefined : `wrong PIN ${failedTries} times`,
    cause === undefined ? undefined : (CAUSES[String(cause)] ?? String(cause)),
    code == null ? undefined : `code ${code}${description == null ? '' : `, ${description}`}`,
    reason,
  ].filter((fact) => fact !== undefined && fact !== '');
  return facts.length === 0 ? '' : `: ${facts.join(', ')}`;
}

function futureIn({ plannedOutcome, expiresAt }: SessionEvent['data']): string | undefined {
  if (plannedOutcome) {
    const { outcome, at } = plannedOutcome as { outcome: string; at: string };
    return `becomes ${outcome} at ${at}`;
  }
  return expiresAt === undefined ? undefined : `waits for its payer until ${expiresAt}`;
}

function reasonIn(reason: string, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > MAX_FINDINGS) {
    return wordsOfFindings(errors);
  }
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}

function warningsIn(findings: readonly Finding[]): string {
  return findings.length === 0 ? '' : `; warning: ${wordsOfFindings(findings)}`;
}

function wordsOfFindings(findings: readonly Finding[]): string {
  const shownFindings = findings.slice(0, MAX_FINDINGS).map(describeFinding);
  const more = findings.length - shownFindings.length;
  return `${shownFindings.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function inSession(session: string): string {
  return session === 'default' ? '' : ` [${session}]`;
}
