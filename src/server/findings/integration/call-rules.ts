import { isSecretName } from '../../../base/masking/secret-names.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import type { CallObservation, CallRule, ObservedCall } from './observed-call.ts';

/** This number of status queries within this time is too many to be useful. */
const [TOO_MANY_QUERIES, QUERY_WINDOW_MS] = [60, 1000];
/** This number of tokens in a row is a finding if each was used for one call and replaced within this time. */
const [WASTED_TOKENS, REUSE_WINDOW_MS] = [5, 60_000];

/** Characters of an Accept header that a finding shows. */
const MAX_SHOWN_ACCEPT = 200;

/** The maximum number of merchants that are remembered for one reference. */
const MAX_REMEMBERED_MERCHANTS = 100;

/** Operations whose paths show whether the code uses production or sandbox. */
const PAYMENT_OPERATIONS: ReadonlySet<string | null> = new Set([
  'initiatePayment',
  'initiateBulkPayment',
  'initiateBulkPayout',
  'getPaymentStatus',
]);

/** THE TABLE of rules about calls. Each generation of a session has new instances of them. */
export const CALL_RULES: readonly (() => CallRule)[] = [
  repeatedInitiations,
  retriesUnderAnotherReference,
  frequentStatusQueries,
  () => nationalMobileNumber,
  () => emptyPayerName,
  mixedEnvironments,
  singleUseTokens,
  reusedExpiredTokens,
  () => secretsInQuery,
  () => jsonOnlyClient,
];

/** The latest initiation with a reference. */
interface Initiation extends Pick<ObservedCall, 'id' | 'callsBegunSoFar' | 'merchantId'> {
  /** Whether the code can know its outcome, from an answer or from a status query. */
  isOutcomeKnown: boolean;
  /** Whether it, or an earlier one with the reference, created a payment or payout. */
  hasResult: boolean;
}

/** Finds a reference that is used twice: as a blind retry after an unclear answer, or as a shared reference. */
function repeatedInitiations(): CallRule {
  const initiations = { payments: new RecentValues<Initiation[]>(), payouts: new RecentValues<Initiation[]>() };
  return (call) => {
    const { id, callsBegunSoFar, merchantId, operation, initiated, isUncertain } = call;
    const reference = call.reference ?? '';
    if (operation === 'getPaymentStatus' && call.isAnswered) {
      const initiation = initiations.payments.get(reference)?.find((each) => each.merchantId === merchantId);
      if (initiation) {
        initiation.isOutcomeKnown = true;
      }
    }
    if (!initiated && !(isUncertain && isInitiation(call))) {
      return undefined;
    }
    const collection = initiated?.collection ?? (operation === 'initiateBulkPayout' ? 'payouts' : 'payments');
    const previousCalls = initiations[collection].get(reference) ?? [];
    const previous = previousCalls.find((each) => each.merchantId === merchantId);
    const hasResult = initiated !== undefined || previous?.hasResult === true;
    const others = previousCalls.filter((each) => each !== previous).slice(1 - MAX_REMEMBERED_MERCHANTS);
    initiations[collection].set(reference, [
      ...others,
      { id, callsBegunSoFar, merchantId, isOutcomeKnown: !isUncertain, hasResult },
    ]);
    return previous && observationOfRepetition(call, previous);
  };
}

function observationOfRepetition(call: ObservedCall, previous: Initiation): CallObservation | undefined {
  const { id, reference, initiated } = call;
  const isBlind = !previous.isOutcomeKnown && beganAfterEnd(call, previous);
  if (!isBlind && !(previous.hasResult && initiated)) {
    return undefined;
  }
  const [kind, expected] = isBlind
    ? (['blind-retry', 'an answered status query first'] as const)
    : (['shared-reference', 'a reference that no other payment has'] as const);
  const reason = isBlind ? 'got no answer with it' : 'used it';
  const received = `${JSON.stringify(reference)} again, after ${previous.id} ${reason}`;
  return { kind, path: '$.payerReference', expected, received, calls: [previous.id, id] };
}

/** Finds a payment that is initiated again under another reference, after an unclear answer. */
function retriesUnderAnotherReference(): CallRule {
  const uncertainCalls = new RecentValues<Pick<ObservedCall, 'id' | 'callsBegunSoFar' | 'reference'>>();
  return (call) => {
    if (call.operation === 'getPaymentStatus') {
      uncertainCalls.deleteWhere(({ reference }) => reference === call.reference);
    }
    if (!isInitiation(call) || (!call.isUncertain && uncertainCalls.isEmpty)) {
      return undefined;
    }
    const { id, callsBegunSoFar, reference } = call;
    const { payerReference: _, ...others } = call.body;
    const content = JSON.stringify([call.operation, others]);
    const previous = uncertainCalls.get(content);
    if (!call.isUncertain) {
      uncertainCalls.delete(content);
    } else {
      uncertainCalls.set(content, { id, callsBegunSoFar, reference });
    }
    if (!previous || previous.reference === reference || !call.initiated || !beganAfterEnd(call, previous)) {
      return undefined;
    }
    const received = `${JSON.stringify(reference)}, while the outcome of ${JSON.stringify(previous.reference)} (${previous.id}) is unknown`;
    return {
      kind: 'retry-under-another-reference',
      path: '$.payerReference',
      expected: 'a status query for the previous one',
      received,
      calls: [previous.id, id],
      // The call may be for another order with the same content, and the code may query the first one later.
      clearedByStatusQuery: previous.reference,
    };
  };
}

function frequentStatusQueries(): CallRule {
  const queries = new RecentValues<{ since: number; calls: string[] }>();
  return (call) => {
    if (call.operation !== 'getPaymentStatus' || call.isFrozen) {
      return undefined;
    }
    const key = `${call.merchantId} ${call.reference}`;
    const window = queries.get(key);
    const current = window && call.at - window.since < QUERY_WINDOW_MS ? window : { since: call.at, calls: [] };
    current.calls.push(call.id);
    queries.set(key, current);
    if (current.calls.length < TOO_MANY_QUERIES) {
      return undefined;
    }
    queries.delete(key);
    return {
      kind: 'status-asked-too-often',
      path: '$.transactionReference',
      expected: 'a pause between two queries',
      received: `${TOO_MANY_QUERIES} queries for ${JSON.stringify(call.reference)} within a second`,
      calls: current.calls,
    };
  };
}

function nationalMobileNumber({ id, initiated, body: { payerMobile } }: ObservedCall): CallObservation | undefined {
  return initiated && typeof payerMobile === 'string' && payerMobile.startsWith('0')
    ? {
        kind: 'national-mobile-number',
        path: '$.payerMobile',
        expected: 'a number with its country code, such as "263770000001"',
        received: 'a number that begins with 0',
        calls: [id],
      }
    : undefined;
}

function emptyPayerName({ id, initiated, body: { payerName } }: ObservedCall): CallObservation | undefined {
  return initiated && typeof payerName === 'string' && payerName.trim() === ''
    ? {
        kind: 'empty-payer-name',
        path: '$.payerName',
        expected: "the payer's name",
        received: 'an empty string',
        calls: [id],
      }
    : undefined;
}

function mixedEnvironments(): CallRule {
  const firstCalls = new Map<string, string>();
  return ({ id, operation, environment }) => {
    if (environment === null || !PAYMENT_OPERATIONS.has(operation)) {
      return undefined;
    }
    const other = environment === 'sandbox' ? 'production' : 'sandbox';
    const previous = firstCalls.get(other);
    firstCalls.set(environment, firstCalls.get(environment) ?? id);
    return previous === undefined
      ? undefined
      : {
          kind: 'mixed-environments',
          path: '$',
          expected: `a ${other} path, like ${previous}`,
          received: `a ${environment} path`,
          calls: [previous, id],
        };
  };
}

function singleUseTokens(): CallRule {
  const latestTokens = new RecentValues<{ since: number; served: number; wasted: string[] }>();
  return ({ id, at, operation, merchantId, authorization, refusal }) => {
    if (merchantId === null || refusal !== null) {
      return undefined;
    }
    const token = latestTokens.get(merchantId);
    if (operation !== 'getAccessToken') {
      if (token && authorization !== undefined) {
        token.served += 1;
      }
      return undefined;
    }
    const wastedIds = token?.served === 1 && at - token.since < REUSE_WINDOW_MS ? [...token.wasted, id] : [];
    latestTokens.set(merchantId, { since: at, served: 0, wasted: wastedIds.length < WASTED_TOKENS ? wastedIds : [] });
    return wastedIds.length < WASTED_TOKENS
      ? undefined
      : {
          kind: 'token-for-every-call',
          path: '$',
          expected: 'requests with the existing token',
          received: `${WASTED_TOKENS} tokens in a row that were each used for one request`,
          calls: wastedIds,
        };
  };
}

function reusedExpiredTokens(): CallRule {
  const refusedTokens = new RecentValues<Pick<ObservedCall, 'id' | 'callsBegunSoFar'>>();
  return (call) => {
    const { id, callsBegunSoFar, authorization, refusal } = call;
    if (authorization === undefined || !refusal?.includes('token has expired')) {
      return undefined;
    }
    const previous = refusedTokens.get(authorization);
    refusedTokens.set(authorization, previous ?? { id, callsBegunSoFar });
    return previous === undefined || !beganAfterEnd(call, previous)
      ? undefined
      : {
          kind: 'expired-token-again',
          path: '$',
          expected: 'a new access token',
          received: `the token with which ${previous.id} was refused`,
          calls: [previous.id, id],
        };
  };
}

function secretsInQuery({ id, query }: ObservedCall): CallObservation | undefined {
  const names = Object.keys(query).filter(isSecretName);
  return names.length === 0
    ? undefined
    : {
        kind: 'key-in-address',
        path: '$',
        expected: 'secrets in the body or in a header',
        received: `${names.join(', ')} in the query string`,
        calls: [id],
      };
}

function jsonOnlyClient({ id, operation, jsonOnlyAccept }: ObservedCall): CallObservation | undefined {
  return operation === null || jsonOnlyAccept === undefined
    ? undefined
    : {
        kind: 'json-only-client',
        path: '$',
        expected: 'an Accept header that also allows text/plain, or none',
        received: JSON.stringify(jsonOnlyAccept.slice(0, MAX_SHOWN_ACCEPT)),
        calls: [id],
      };
}

/** Decides by the operation's name, because a call without an answer does not show whether it created a record. */
function isInitiation({ operation }: ObservedCall): boolean {
  return operation?.startsWith('initiate') === true || operation === 'requestPaymentTokenAndPay';
}

/** Whether a call began after another had ended. Otherwise the code could not know the outcome of the other one. */
function beganAfterEnd({ id }: ObservedCall, other: Pick<ObservedCall, 'callsBegunSoFar'>): boolean {
  return Number(id.slice(id.lastIndexOf('-') + 1)) > other.callsBegunSoFar;
}
