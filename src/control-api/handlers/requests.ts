import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../refusal.ts';
import type { RequestExpectation, RequestsQuery, Verification } from '../../schema/control.ts';
import { memberPath } from '../../schema/json-path.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import { keyOfNumber } from '../cursor.ts';
import { listEntries, type Order } from '../lists.ts';
import { type ControlOperation, listOf, one, sessionRow } from '../operation.ts';
import { textsOfRequest } from '../search.ts';
import { viewRequest } from '../views.ts';

/** How many of the nearest requests a failed expectation shows. */
const NEAREST = 3;

/** In the order in which they came, which is not that in which they were over. */
const BY_NUMBER: Order<LoggedRequest> = {
  name: 'requests',
  keyOf: ({ id }) => keyOfNumber(Number(id.slice('request-'.length))),
};

type Match = RequestExpectation['match'];

interface Difference {
  path: string;
  expected: unknown;
  /** Undefined, and left out of the answer, where nothing was received. */
  received: unknown;
}

/** The request log: what came, what was found in it, what went out. */
export const REQUEST_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, RequestsQuery>({
    name: 'listRequests',
    summary: 'List logged requests',
    description:
      'The last calls of the merchant API, newest first, secrets masked. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
    method: 'GET',
    path: '/requests',
    query: 'control/requests-query',
    request: null,
    response: listOf('control/request'),
    handle: async ({ session, query }) => {
      const { status, ...others } = query;
      const isAsked = ({ answer }: LoggedRequest) => status === undefined || answer?.status === status;
      const { items, nextCursor } = listEntries(
        BY_NUMBER,
        session.requests.entries.filter(isAsked),
        others,
        textsOfRequest,
      );
      return { items: items.map(viewRequest), nextCursor };
    },
  }),
  sessionRow({
    name: 'getRequest',
    summary: 'Get a logged request',
    description: 'One call of the merchant API, whole. `id` is what its answer had in `X-Sandbox-Request`.',
    method: 'GET',
    path: '/requests/{id}',
    query: null,
    request: null,
    response: one('control/request'),
    handle: async ({ session, parameters }) => {
      const entry = session.requests.find(parameters['id'] ?? '');
      if (!entry) {
        throw new Refusal('unknown-record', `there is no ${JSON.stringify(parameters['id'])} in the request log`);
      }
      return viewRequest(entry);
    },
  }),
  sessionRow({
    name: 'clearRequests',
    summary: 'Clear the request log',
    description: 'Forgets the calls so far. Those that come are numbered on from there.',
    method: 'DELETE',
    path: '/requests',
    query: null,
    request: null,
    response: null,
    handle: async ({ session }) => session.requests.forget(),
  }),
  sessionRow<RequestExpectation>({
    name: 'verifyRequests',
    summary: 'Verify requests',
    description: 'Whether the calls so far were as expected. 422 with the nearest ones when not.',
    refusals: ['expectation-failed'],
    method: 'POST',
    path: '/requests/verify',
    isRead: true,
    query: null,
    request: 'control/request-expectation',
    response: one('control/verification'),
    handle: async ({ session, body }) => verify(session.requests.entries, body),
  }),
];

function verify(entries: readonly LoggedRequest[], { match, count }: RequestExpectation): Verification {
  const compared = entries.map((entry) => ({ entry, differences: differencesOf(match, entry) }));
  const matched = compared.filter(({ differences }) => differences.length === 0).map(({ entry }) => entry.id);
  const isMet = count === undefined ? matched.length > 0 : matched.length === count;
  if (isMet) {
    return { matched: matched.length, ids: matched };
  }
  const nearest = compared
    .filter(({ differences }) => differences.length > 0)
    .sort((a, b) => a.differences.length - b.differences.length)
    .slice(0, NEAREST)
    .map(({ entry, differences }) => ({ id: entry.id, method: entry.method, path: entry.path, differences }));
  const wanted = count === undefined ? 'at least one' : `exactly ${count}`;
  throw new Refusal('expectation-failed', `${matched.length} of ${entries.length} calls match, expected ${wanted}`, {
    details: { matched: matched.length, ids: matched, nearest },
  });
}

function differencesOf({ body, status, ...members }: Match, entry: LoggedRequest): Difference[] {
  const differences: Difference[] = Object.entries(members).flatMap(([name, expected]) => {
    const received: unknown = memberOf(entry, name);
    return received === expected ? [] : [{ path: name, expected, received }];
  });
  const received = entry.answer?.status ?? null;
  if (status !== undefined && status !== received) {
    differences.push({ path: 'status', expected: status, received });
  }
  return body === undefined ? differences : [...differences, ...partialDifferences('$', body, entry.body)];
}

/** Where a partial value is not contained in another one: members that it does not name do not matter. */
function partialDifferences(path: string, expected: unknown, received: unknown): Difference[] {
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  if (!isObject || typeof received !== 'object' || received === null) {
    return isDeepStrictEqual(expected, received) ? [] : [{ path, expected, received }];
  }
  return Object.entries(expected).flatMap(([name, value]) =>
    partialDifferences(memberPath(path, name), value, memberOf(received, name)),
  );
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
