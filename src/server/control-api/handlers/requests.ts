import { isDeepStrictEqual } from 'node:util';
import { isRefused } from '../../../base/is-success.ts';
import { isMembers } from '../../../base/members.ts';
import { errorFinding, findingsRefusal, Refusal } from '../../../base/refusal.ts';
import { mapInTurns } from '../../../base/run-in-turns.ts';
import type { RequestExpectation, RequestsQuery, Verification } from '../../../base/schema/generated/control.ts';
import { memberPath } from '../../../base/schema/json-path.ts';
import { describeSize, isLarger, type JsonSize, sizeOf } from '../../../base/schema/json-size.ts';
import { newTurnPause } from '../../../base/timers.ts';
import type { LoggedCall, LoggedRequest } from '../../sessions/request-log.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { keyOfNumber } from '../cursor.ts';
import { archiveOf } from '../har.ts';
import { type ListOrder, listEntries } from '../lists.ts';
import { textsOfRequest } from '../search.ts';
import { viewRequest } from '../views.ts';

/** Limits of the answer to a failed expectation: requests, differences of each request, and characters of each value. */
const MAX_NEAR_REQUESTS = 3;
const MAX_DIFFERENCES = 100;
const MAX_VALUE_LENGTH = 1000;
/** Maximum number of notifications whose attempts are exported. */
const MAX_DELIVERIES = 1000;
/** Maximum size of an expectation: more than the log keeps of a call, so that a larger one cannot match. */
const MAX_EXPECTATION_SIZE: JsonSize = { characters: 1_048_576, values: 20_000 };

/** In order of arrival, which may differ from the order in which the calls ended. */
const BY_NUMBER: ListOrder<LoggedRequest> = {
  name: 'requests',
  keyOf: ({ id }) => keyOfNumber(Number(id.slice('request-'.length))),
};

type Match = RequestExpectation['match'];

interface Difference {
  path: string;
  expected: unknown;
  /** Undefined if the member was not received; then omitted from the answer. */
  received: unknown;
}

export const REQUEST_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, RequestsQuery>({
    name: 'listRequests',
    summary: 'List logged requests',
    description: 'The last calls to the merchant API, newest first, secrets masked.',
    method: 'GET',
    path: '/requests',
    query: 'control/requests-query',
    response: listOf('control/request'),
    handle: async ({ session, query }) => {
      const { status, refused, ...others } = query;
      const matchesQuery = ({ answer }: LoggedRequest) =>
        (status === undefined || answer?.status === status) &&
        (refused === undefined || isRefused(answer?.status ?? null) === refused);
      const calls = await mapInTurns(session.requests.calls, (call) => call.describe());
      const matching = calls.filter(matchesQuery);
      const { items, nextCursor } = await listEntries(BY_NUMBER, matching, others, textsOfRequest);
      return { items: await mapInTurns(items, viewRequest), nextCursor };
    },
  }),
  sessionRow({
    name: 'getRequest',
    summary: 'Get a logged request',
    description: 'One complete call to the merchant API. `id` is the value of `X-Sandbox-Request` in its answer.',
    method: 'GET',
    path: '/requests/{id}',
    response: itemOf('control/request'),
    handle: async ({ session, parameters }) => {
      const entry = session.requests.find(parameters['id'] ?? '');
      if (!entry) {
        throw new Refusal('unknown-record', `there is no ${JSON.stringify(parameters['id'])} in the request log`);
      }
      return viewRequest(entry);
    },
  }),
  sessionRow({
    name: 'getHttpArchive',
    summary: 'Export calls and notifications',
    description:
      "The logged calls, and the delivery attempts of the last thousand notifications, as an HTTP Archive (HAR 1.2) for browsers and other tools, oldest first, secrets masked. Times are from the session's clock.",
    method: 'GET',
    path: '/har',
    response: itemOf('control/http-archive'),
    handle: async ({ session, sessionName, parts }) => {
      const deliveries = await session.read((reader) =>
        reader.list('deliveries', { limit: MAX_DELIVERIES, newestFirst: true }),
      );
      return archiveOf(session.requests.calls, deliveries.items.toReversed(), parts.baseOf(sessionName));
    },
  }),
  sessionRow({
    name: 'clearRequests',
    summary: 'Clear the request log',
    description: 'Deletes the logged calls. Numbering continues.',
    method: 'DELETE',
    path: '/requests',
    response: null,
    handle: async ({ session }) => session.requests.forget(),
  }),
  sessionRow<RequestExpectation>({
    name: 'verifyRequests',
    summary: 'Verify requests',
    description:
      'Checks whether the calls so far match an expectation. If not, 422 with the most similar calls, each with at most a hundred differences (`more` counts the rest); long values are cut.',
    refusals: ['expectation-failed'],
    method: 'POST',
    path: '/requests/verify',
    isReadOnly: true,
    request: 'control/request-expectation',
    response: itemOf('control/verification'),
    handle: ({ session, body, signal }) => verify(session.requests.calls, body, signal),
  }),
];

async function verify(
  calls: readonly LoggedCall[],
  { match, count }: RequestExpectation,
  signal: AbortSignal,
): Promise<Verification> {
  if (isLarger(sizeOf(match, MAX_EXPECTATION_SIZE), MAX_EXPECTATION_SIZE)) {
    throw findingsRefusal([
      errorFinding(
        '$.match',
        `at most ${describeSize(MAX_EXPECTATION_SIZE)}, which is more than the log keeps of a call`,
        'more',
      ),
    ]);
  }
  const ids: string[] = [];
  let nearest: { entry: LoggedRequest; differences: Differences }[] = [];
  const pause = newTurnPause();
  for (const call of calls) {
    const entry = call.describe();
    const differences = new Differences();
    compare(match, entry, differences);
    if (differences.count === 0) {
      ids.push(entry.id);
    } else {
      nearest = [...nearest, { entry, differences }]
        .sort((a, b) => a.differences.count - b.differences.count)
        .slice(0, MAX_NEAR_REQUESTS);
    }
    const paused = pause();
    if (paused) {
      await paused;
      signal.throwIfAborted();
    }
  }
  const isMet = count === undefined ? ids.length > 0 : ids.length === count;
  if (isMet) {
    return { matched: ids.length, ids };
  }
  const nearestCalls = nearest.map(({ entry, differences: { listed, more } }) => {
    const { id, method, path } = entry;
    return { id, method, path, differences: listed, ...(more > 0 ? { more } : {}) };
  });
  const expected = count === undefined ? 'at least one' : `exactly ${count}`;
  throw new Refusal('expectation-failed', `${ids.length} of ${calls.length} calls match, expected ${expected}`, {
    details: { matched: ids.length, ids, nearest: nearestCalls },
  });
}

/** The first differences between a call and the expectation, and the number of the others. */
class Differences {
  readonly listed: Difference[] = [];
  count = 0;

  get isFull(): boolean {
    return this.listed.length === MAX_DIFFERENCES;
  }

  get more(): number {
    return this.count - this.listed.length;
  }

  add(path: string, expected: unknown, received: unknown): void {
    this.count += 1;
    if (!this.isFull) {
      this.listed.push({ path, expected: shortenValue(expected), received: shortenValue(received) });
    }
  }
}

/** The value; if it is long, a text with its beginning and its length. */
function shortenValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_VALUE_LENGTH
    ? `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length.toLocaleString('en')} characters of JSON)`
    : value;
}

function compare({ body, status, ...members }: Match, entry: LoggedRequest, differences: Differences): void {
  for (const [name, expected] of Object.entries(members)) {
    const received: unknown = memberOf(entry, name);
    if (received !== expected) {
      differences.add(name, expected, received);
    }
  }
  const received = entry.answer?.status ?? null;
  if (status !== undefined && status !== received) {
    differences.add('status', status, received);
  }
  if (body !== undefined) {
    comparePart('$', body, entry.body, differences);
  }
}

/** Of an object, only the expected members are compared; a list must be equal as a whole. */
function comparePart(path: string, expected: unknown, received: unknown, differences: Differences): void {
  if (isMembers(expected) && typeof received === 'object' && received !== null) {
    for (const [name, value] of Object.entries(expected)) {
      // Differences that are only counted need no path.
      const pathOfMember = differences.isFull ? path : memberPath(path, name);
      comparePart(pathOfMember, value, memberOf(received, name), differences);
    }
  } else if (!isDeepStrictEqual(expected, received)) {
    differences.add(path, expected, received);
  }
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
