import { integrationFindingsOf } from '../findings/integration/integration-findings.ts';
import type { ObservedCall } from '../findings/integration/observed-call.ts';
import type { Exchange } from './exchange.ts';
import type { RequestRecord } from './request-record.ts';
import { jsonOnlyAccept, type Reply } from './send-answer.ts';

/** Records findings about the code that made a call. */
export function recordIntegrationFindings(
  exchange: Exchange,
  record: RequestRecord,
  reply: Reply,
  ignored: ReadonlySet<string>,
): void {
  const { session, generation } = exchange;
  if (!generation.hasEnded) {
    const call = observedCall(exchange, record, reply, session.clock.now());
    record.addFindings(integrationFindingsOf(generation).observe(call, ignored));
  }
}

/** Longer references are ignored, because no payment has one and the rules keep references in memory. */
const MAX_REFERENCE_LENGTH = 200;

function shortReference({ reference }: RequestRecord): string | null {
  return reference !== null && reference.length > MAX_REFERENCE_LENGTH ? null : reference;
}

/** Written member by member, because it is made for every call and a spread of two objects would double the time. */
function observedCall(
  { session, request, response, query }: Exchange,
  record: RequestRecord,
  reply: Reply,
  at: number,
): ObservedCall {
  const fault = 'fault' in reply ? reply.fault : undefined;
  const isClientGone = response.destroyed;
  return {
    id: record.id,
    callsBegunSoFar: session.requests.count,
    at,
    isFrozen: session.clock.isFrozen,
    operation: record.operation,
    environment: record.environment,
    merchantId: record.merchantId,
    reference: shortReference(record),
    query,
    body: record.body,
    authorization: request.headers.authorization,
    jsonOnlyAccept: jsonOnlyAccept(request),
    initiated: record.initiated,
    isAnswered: fault === undefined && !isClientGone,
    isUncertain: isClientGone || (fault !== undefined && (fault.kind !== 'status' || fault.at === 'after')),
    refusal: record.reason,
  };
}
