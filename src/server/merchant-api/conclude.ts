import { describeFindings, Refusal, refusalForFailure } from '../../base/refusal.ts';
import { isUnknownMember } from '../../base/schema/validation.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { type Envelope, errorBody, statusOf } from '../domain/wire/envelopes.ts';
import type { LoggedCall } from '../sessions/request-log.ts';
import type { Exchange } from './exchange.ts';
import { applyArrivalFaultToRefused, sendFault } from './fault.ts';
import { recordIntegrationFindings } from './record-integration-findings.ts';
import { ClientGone } from './request-body/request-body.ts';
import type { RequestRecord } from './request-record.ts';
import { type Reply, sendAnswer } from './send-answer.ts';

/** A finished call, with facts that are not in the request log. */
export interface FinishedCall
  extends LoggedCall,
    Pick<RequestRecord, 'route' | 'appliedFault' | 'reportedPayment' | 'isByHand' | 'epoch'> {}

export interface ConclusionParts {
  fixtures: () => Fixtures;
  /** Whether a client whose `Accept` prefers application/json gets that type instead of text/plain. */
  isNegotiated: boolean;
  /** Ids of integration findings that are not reported. */
  ignored: ReadonlySet<string>;
  onDone(call: FinishedCall, milliseconds: number): void;
  onError(error: unknown): void;
}

/** Ends a call: records and sends its reply, or the reply to its refusal. */
export async function conclude(
  exchange: Exchange,
  record: RequestRecord,
  envelope: Envelope,
  parts: ConclusionParts,
  steps: Promise<Reply>,
): Promise<void> {
  try {
    let reply: Reply | null;
    try {
      reply = await steps;
    } catch (error) {
      reply = await replyToFailure(error, exchange, envelope, record, parts);
    }
    if (reply) {
      recordIntegrationFindings(exchange, record, reply, parts.ignored);
      // Checked before sending, because a fault closes the connection itself.
      const isClientGone = exchange.response.destroyed;
      const form = { isNegotiated: parts.isNegotiated, headers: record.headers };
      const sentAnswer =
        'fault' in reply
          ? await sendFault(reply.fault, exchange, envelope, form)
          : sendAnswer(exchange.response, {
              status: reply.status,
              text: JSON.stringify(reply.body),
              isNegotiated: form.isNegotiated,
              headers: { ...form.headers, ...reply.headers },
            });
      record.setAnswer(sentAnswer, isClientGone);
    }
  } finally {
    finish(exchange, record, parts);
  }
}

/** The reply to a call that was refused or failed; null if the client is gone. */
async function replyToFailure(
  error: unknown,
  exchange: Exchange,
  envelope: Envelope,
  record: RequestRecord,
  parts: ConclusionParts,
): Promise<Reply | null> {
  const fault = await applyArrivalFaultToRefused(error, exchange, record);
  if (fault) {
    return { fault };
  }
  const { callOutcomes } = exchange.session;
  const confirmedError = await callOutcomes.confirmRefusal(error);
  const reason = record.hasCommitted ? callOutcomes.reviseAfterCommit(confirmedError) : confirmedError;
  if (reason instanceof ClientGone) {
    record.clientDeparture = 'before the end of its request';
    return null;
  }
  const refusal = reason instanceof Refusal ? reason : refusalForFailure(reason, parts.onError);
  const fixtures = parts.fixtures();
  const status = statusOf(refusal, fixtures);
  // A misspelled member is only a warning, but may be the cause of the refusal.
  const namedPaths = new Set(refusal.findings.map(({ path }) => path));
  const typos = record.findings.filter((finding) => isUnknownMember(finding) && !namedPaths.has(finding.path));
  const message = typos.length === 0 ? refusal.message : `${refusal.message}; ${describeFindings(typos)}`;
  record.setRefusal(refusal, message);
  return { status, body: errorBody(envelope, status, message, fixtures), headers: refusal.headers };
}

function finish({ session, generation }: Exchange, record: RequestRecord, parts: ConclusionParts): void {
  const milliseconds = record.end(session);
  // A reset restarts the ids, so another call may have this id by now.
  if (!generation.hasEnded) {
    session.requests.add(record);
  }
  parts.onDone(record, milliseconds);
  // The request log keeps the record but never shows the payment, so its memory can be freed.
  record.reportedPayment = undefined;
}
