// Calls of the operations of both APIs, generated from their OpenAPI document. Operations that need a form are omitted.

/** Operations that read all records, or all of one day. Their time may grow with the number of records. */
const WHOLE = [
  ...['getState', 'putState', 'checkLedger', 'reset', 'advanceClock', 'runUntilIdle'],
  ...[
    'closeSettlements',
    'getSettlementFile',
    'getSettlementAnswerKey',
    'getReport',
    'getBundle',
    'getHistory',
    'forkSession',
  ],
  ...['listBalanceDays', 'getInvoice'],
];
/** Operations whose answers do not end by themselves. */
const STREAMS = ['streamEvents', 'streamNotices'];
/** Operations that run last, and only once. Most of them change the records that others need. */
const LAST = [
  ...['clearRequests', 'checkLedger', 'getState', 'setClock', 'advanceClock', 'runUntilIdle', 'putState', 'reset'],
  'deleteSession',
];
/** All other parameters of a list are filters, for which all records are read. */
const PAGING = ['limit', 'cursor', 'order'];

/**
 * The calls, with those in LAST at the end: `{ name, isWhole, isLast, isStream, method, path, body, headers }`.
 * `token` is an access token of the merchant API.
 */
export function everyOperation(document, token) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => callsOf(path, method.toUpperCase(), operation, token)),
  );
  const rankOf = ({ name }) => LAST.indexOf(name);
  return calls.sort((one, other) => rankOf(one) - rankOf(other));
}

function callsOf(path, method, { operationId: name, parameters = [], requestBody, security = [] }, token) {
  const json = requestBody?.content?.['application/json'];
  if (requestBody && !json) {
    return [];
  }
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const call = {
    ...{
      name,
      method,
      path: inPath.reduce((whole, each) => whole.replace(`{${each.name}}`, String(each.example)), path),
    },
    ...{ isWhole: WHOLE.includes(name), isLast: LAST.includes(name), isStream: STREAMS.includes(name) },
    body: json && JSON.stringify(json.example ?? Object.values(json.examples ?? {})[0]?.value),
    headers: security.some((each) => 'bearer' in each) ? { authorization: `Bearer ${token}` } : {},
  };
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  const filters = query.filter((parameter) => !PAGING.includes(parameter.name));
  const search = new URLSearchParams(filters.map((each) => [each.name, String(each.example)])).toString();
  const filtered = { ...call, name: `${name}, filtered`, isWhole: true, path: `${call.path}?${search}` };
  return filters.length === 0 ? [call] : [call, filtered];
}

/** Pages that a payer or a developer opens. */
export const EVERY_PAGE = [
  ...['/pay/phone/263770000001', '/pay/payments/payment-1', '/pay/qr/payment-1', '/_sandbox/console/payments'],
].map((path) => ({
  name: path,
  path,
  method: 'GET',
  body: undefined,
  headers: {},
  isWhole: false,
  isLast: false,
  isStream: false,
}));
