// How what everything costs grows with the payments there are: cost ~ payments^x, for every operation of both APIs and every page.

import { bodyOf, CHANNELS, CREDENTIALS, WALLET } from '../payment.mjs';
import { call, callJson, startSandbox, written } from '../sandbox.mjs';

const LEVELS = [1000, 10_000, 100_000];
const MERCHANTS = [1, 400];
const START = '2026-03-01T06:00:00Z';
/** How often each is called; the fastest counts, as noise only adds. */
const TRIES = 9;
const AT_ONCE = 32;
/** One record, or a page of a list. */
const AIM = 0.1;
/** What goes over all that there is, or over a day. */
const WHOLE_AIM = 1.1;
const WHOLE = [
  'getState',
  'putState',
  'checkLedger',
  'getSettlementFile',
  'getSettlementAnswerKey',
  'advanceClock',
  'reset',
];
/** These take long or change what the others are asked about: last, and once. */
const LAST = [
  ...['getState', 'checkLedger', 'advanceClock', 'getSettlementFile', 'getSettlementAnswerKey', 'putState', 'reset'],
];
/** They do not end. */
const STREAMS = /^stream/;
/** They would be about another session, or leave nothing to ask about. */
const LEFT_OUT = ['deleteSession', 'createSession', 'clearRequests', 'setClock', 'runUntilIdle'];
const PAGES = ['/pay/phone/263770000001', '/pay/payments/payment-1', '/pay/qr/payment-1', '/_sandbox/console/payments'];

export async function benchGrowth() {
  const rows = [];
  for (const merchants of MERCHANTS) {
    const levels = [];
    for (const payments of LEVELS) {
      levels.push(await costsAt(payments, merchants));
    }
    for (const name of levels[0].keys()) {
      const costs = levels.map((level) => level.get(name));
      if (costs.every((cost) => cost !== undefined)) {
        rows.push({
          name: `${name}, ${merchants === 1 ? 'one merchant' : `${merchants} merchants`}: exponent`,
          value: exponentOf(costs),
          aim: WHOLE.includes(name) ? WHOLE_AIM : AIM,
          least: true,
          note: `${costs.map((cost) => cost.toFixed(2)).join(', ')} ms at ${LEVELS.map(written).join(', ')}`,
        });
      }
    }
  }
  return rows.sort((one, other) => other.value - one.value);
}

/** The slope of the logarithms, by least squares. */
function exponentOf(costs) {
  const [x, y] = [LEVELS.map(Math.log), costs.map(Math.log)];
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const up = x.reduce((sum, value, index) => sum + (value - meanX) * (y[index] - meanY), 0);
  return up / x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
}

/** Milliseconds of a call of each operation and page, by its name; undefined for one that is refused. */
async function costsAt(payments, merchants) {
  const sandbox = await startSandbox(':memory:', '--now', START);
  const { url } = sandbox;
  await call(`${url}/_sandbox/scenarios/bench`, 'PUT', {
    ...{ name: 'bench', description: '' },
    rules: [{ when: { operation: 'initiatePayment' }, settle: { outcome: 'Paid', after: 'PT0S' } }],
  });
  await call(`${url}/_sandbox/scenario`, 'PUT', { name: 'bench' });
  await pay(url, payments, merchants);
  const auth = await callJson(`${url}/auth/authenticate/merchantRequest`, 'POST', CREDENTIALS);
  const document = await callJson(`${url}/_sandbox/openapi.json`, 'GET');
  const operations = requestsOf(document, auth.token ?? auth.auth?.token);
  const costs = new Map();
  const usual = operations.filter(({ name }) => ![...LAST, ...LEFT_OUT].includes(name) && !STREAMS.test(name));
  for (const operation of [...usual, ...PAGES.map((path) => ({ name: path, path, method: 'GET' }))]) {
    costs.set(operation.name, await costOf(url, operation, TRIES));
  }
  for (const name of LAST) {
    const operation = operations.find((each) => each.name === name);
    const given = name === 'putState' ? { body: (await call(`${url}/_sandbox/state`, 'GET')).text } : {};
    const moved = name === 'advanceClock' ? { body: JSON.stringify({ by: 'P1D' }) } : {};
    costs.set(name, operation && (await costOf(url, { ...operation, ...given, ...moved }, 1)));
  }
  await sandbox.stop();
  return costs;
}

async function costOf(url, { path, method, body, headers }, tries) {
  let least;
  for (let count = 0; count < tries; count += 1) {
    try {
      const { milliseconds } = await call(`${url}${path}`, method, body, headers);
      least = Math.min(least ?? milliseconds, milliseconds);
    } catch {
      // Its example is of something that is not here, or can be done once.
    }
  }
  return least;
}

/** Each operation's first example, as a call. */
function requestsOf({ paths }, token) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: name, parameters = [], requestBody, security = [] }]) => {
      const named = parameters.filter((parameter) => parameter.in === 'path');
      const filled = named.reduce((whole, each) => whole.replace(`{${each.name}}`, String(each.example)), path);
      const query = parameters.filter(({ in: place, example }) => place === 'query' && example !== undefined);
      const search = new URLSearchParams(query.map((each) => [each.name, String(each.example)])).toString();
      const json = requestBody?.content?.['application/json'];
      if (requestBody && !json) {
        return [];
      }
      const value = json?.example ?? Object.values(json?.examples ?? {})[0]?.value;
      const needsToken = security.some((each) => 'bearer' in each);
      return {
        ...{ name, method: method.toUpperCase(), path: search === '' ? filled : `${filled}?${search}` },
        ...{ body: json && JSON.stringify(value), headers: needsToken ? { authorization: `Bearer ${token}` } : {} },
      };
    }),
  );
}

/** Of one payer who pays each merchant in turn. */
async function pay(url, payments, merchants) {
  let number = 0;
  const payOne = async () => {
    for (; number < payments; ) {
      number += 1;
      const merchant = number % merchants;
      const own = merchant === 0 ? {} : { merchantId: `M-2${merchant}`, merchantApiKey: 'key', merchantKey: 'key' };
      const body = bodyOf({ ...CHANNELS['mobile money'], ...own }, number === 1 ? 'ORDER-1001' : `GROWN-${number}`);
      await call(`${url}${WALLET}`, 'POST', body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, payOne));
}
