import { isSecretName } from '../../../base/masking/secret-names.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import type { CallObservation, CallRule, ObservedCall } from './observed-call.ts';

/** Status queries within a time, in milliseconds, that are too many to be useful. */
const [TOO_OFTEN, WITHIN_MS] = [60, 1000];
/** Tokens in a row, each fetched while the previous one was younger than this and had been used for one call. */
const [WASTED_TOKENS, YOUNG_MS] = [5, 60_000];

/** Characters of an Accept header that a finding shows. */
const MAX_SHOWN_ACCEPT = 200;

/** The most merchants that are remembered for one reference. */
const MAX_REMEMBERED_MERCHANTS = 100;

const ENVIRONMENTAL: ReadonlySet<string | null> = new Set([
  'initiatePayment',
  'initiateBulkPayment',
  'initiateBulkPayout',
  'getPaymentStatus',
]);

/** THE TABLE of rules about calls. Each session has new instances of them. */
export const CALL_RULES: readonly (() => CallRule)[] = [
  repeatedInitiations,
  retriesUnderAnotherReference,
  statusAskedTooOften,
  () => nationalMobileNumber,
  () => emptyPayerName,
  mixedEnvironments,
  tokensForEveryCall,
  expiredTokensAgain,
  () => keysInAddress,
  () => jsonOnlyClient,
];

/** An initiation that is known, with what is known of it. */
interface Initiation extends Pick<ObservedCall, 'id' | 'begun' | 'merchantId'> {
  /** Whether the code can know what became of it. */
  isLearned: boolean;
  /** Whether there is something that it initiated. */
  isDone: boolean;
}

/** The same reference twice: after no answer, or otherwise. */
function repeatedInitiations(): CallRule {
  const known = { payments: new RecentValues<Initiation[]>(), payouts: new RecentValues<Initiation[]>() };
  return (call) => {
    const { id, begun, merchantId, operation, initiated, isUncertain } = call;
    const reference = call.reference ?? '';
    if (operation === 'getPaymentStatus' && call.isAnswered) {
      const asked = known.payments.get(reference)?.find((each) => each.merchantId === merchantId);
      if (asked) {
        asked.isLearned = true;
      }
    }
    if (!initiated && !(isUncertain && isInitiation(call))) {
      return undefined;
    }
    const collection = initiated?.collection ?? (operation === 'initiateBulkPayout' ? 'payouts' : 'payments');
    const all = known[collection].get(reference) ?? [];
    const before = all.find((each) => each.merchantId === merchantId);
    const isDone = initiated !== undefined || before?.isDone === true;
    const others = all.filter((each) => each !== before).slice(1 - MAX_REMEMBERED_MERCHANTS);
    known[collection].set(reference, [...others, { id, begun, merchantId, isLearned: !isUncertain, isDone }]);
    return before && observationOfRepetition(call, before);
  };
}

function observationOfRepetition(call: ObservedCall, before: Initiation): CallObservation | undefined {
  const { id, reference, initiated } = call;
  const isBlind = !before.isLearned && isAfter(call, before);
  if (!isBlind && !(before.isDone && initiated)) {
    return undefined;
  }
  const [kind, expected] = isBlind
    ? (['blind-retry', 'a status query first'] as const)
    : (['shared-reference', 'a reference that no other payment has'] as const);
  const which = isBlind ? 'got no answer with it' : 'initiated one with it';
  const received = `${JSON.stringify(reference)} again, after ${before.id} ${which}`;
  return { kind, path: '$.payerReference', expected, received, calls: [before.id, id] };
}

/** The same payment under another reference, after no answer. */
function retriesUnderAnotherReference(): CallRule {
  const unanswered = new RecentValues<Pick<ObservedCall, 'id' | 'begun' | 'reference'>>();
  return (call) => {
    if (call.operation === 'getPaymentStatus') {
      unanswered.deleteWhere(({ reference }) => reference === call.reference);
    }
    if (!isInitiation(call) || (!call.isUncertain && unanswered.isEmpty)) {
      return undefined;
    }
    const { id, begun, reference } = call;
    const { payerReference: _, ...others } = call.body;
    const content = JSON.stringify([call.operation, others]);
    const before = unanswered.get(content);
    if (!call.isUncertain) {
      unanswered.delete(content);
    } else {
      unanswered.set(content, { id, begun, reference });
    }
    if (!before || before.reference === reference || !call.initiated || !isAfter(call, before)) {
      return undefined;
    }
    const received = `${JSON.stringify(reference)}, while the outcome of ${JSON.stringify(before.reference)} (${before.id}) is unknown`;
    return {
      kind: 'retry-under-another-reference',
      path: '$.payerReference',
      expected: 'a status query for the previous one',
      received,
      calls: [before.id, id],
      // Another order may be just the same, and the one before be asked for later.
      clearedByStatusQuery: before.reference,
    };
  };
}

function statusAskedTooOften(): CallRule {
  const asked = new RecentValues<{ since: number; calls: string[] }>();
  return (call) => {
    if (call.operation !== 'getPaymentStatus' || call.isFrozen) {
      return undefined;
    }
    const key = `${call.merchantId} ${call.reference}`;
    const known = asked.get(key);
    const counted = known && call.at - known.since < WITHIN_MS ? known : { since: call.at, calls: [] };
    counted.calls.push(call.id);
    asked.set(key, counted);
    if (counted.calls.length < TOO_OFTEN) {
      return undefined;
    }
    asked.delete(key);
    return {
      kind: 'status-asked-too-often',
      path: '$.transactionReference',
      expected: 'a pause between two queries',
      received: `${TOO_OFTEN} queries for ${JSON.stringify(call.reference)} within a second`,
      calls: counted.calls,
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
  const first = new Map<string, string>();
  return ({ id, operation, environment }) => {
    if (environment === null || !ENVIRONMENTAL.has(operation)) {
      return undefined;
    }
    const other = environment === 'sandbox' ? 'production' : 'sandbox';
    const before = first.get(other);
    first.set(environment, first.get(environment) ?? id);
    return before === undefined
      ? undefined
      : {
          kind: 'mixed-environments',
          path: '$',
          expected: `a ${other} path, like ${before}`,
          received: `a ${environment} path`,
          calls: [before, id],
        };
  };
}

function tokensForEveryCall(): CallRule {
  const merchants = new RecentValues<{ since: number; served: number; wasted: string[] }>();
  return ({ id, at, operation, merchantId, bearer, refusal }) => {
    if (merchantId === null || refusal !== null) {
      return undefined;
    }
    const known = merchants.get(merchantId);
    if (operation !== 'getAccessToken') {
      if (known && bearer !== undefined) {
        known.served += 1;
      }
      return undefined;
    }
    const wasted = known?.served === 1 && at - known.since < YOUNG_MS ? [...known.wasted, id] : [];
    merchants.set(merchantId, { since: at, served: 0, wasted: wasted.length < WASTED_TOKENS ? wasted : [] });
    return wasted.length < WASTED_TOKENS
      ? undefined
      : {
          kind: 'token-for-every-call',
          path: '$',
          expected: 'requests with the existing token',
          received: `${WASTED_TOKENS} tokens in a row that were each used for one request`,
          calls: wasted,
        };
  };
}

function expiredTokensAgain(): CallRule {
  const refused = new RecentValues<Pick<ObservedCall, 'id' | 'begun'>>();
  return (call) => {
    const { id, begun, bearer, refusal } = call;
    if (bearer === undefined || !refusal?.includes('token has expired')) {
      return undefined;
    }
    const before = refused.get(bearer);
    refused.set(bearer, before ?? { id, begun });
    return before === undefined || !isAfter(call, before)
      ? undefined
      : {
          kind: 'expired-token-again',
          path: '$',
          expected: 'a new access token',
          received: `the token for which ${before.id} was refused`,
          calls: [before.id, id],
        };
  };
}

function keysInAddress({ id, query }: ObservedCall): CallObservation | undefined {
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
        expected: 'an Accept header that takes text/plain, too, or no such header',
        received: JSON.stringify(jsonOnlyAccept.slice(0, MAX_SHOWN_ACCEPT)),
        calls: [id],
      };
}

/** By its name, since nothing says what a call without an answer did. */
function isInitiation({ operation }: ObservedCall): boolean {
  return operation?.startsWith('initiate') === true;
}

/** Whether a call began when another was over: only then can the code know what became of that. */
function isAfter({ id }: ObservedCall, before: Pick<ObservedCall, 'begun'>): boolean {
  return Number(id.slice(id.lastIndexOf('-') + 1)) > before.begun;
}
