// How the time of operations of both APIs, pages, commands, jobs and stream events grows with the number of payments:
// time ~ payments^x.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EVERY_PAGE, everyOperation } from '../every-operation.mjs';
import { bodyOf, CHANNELS, CREDENTIALS, WALLET } from '../payment.mjs';
import { call, callJson, startSandbox, withCommas } from '../sandbox.mjs';

const LEVELS = [1000, 10_000, 100_000];
const MERCHANTS = [1, 400];
const START = '2026-03-01T06:00:00Z';
/** Calls of each operation, alternating between the levels, so that other programs slow all of them equally; the fastest counts. */
const TRIES = 15;
const CONCURRENCY = 32;
const READERS = 50;
/** For calls about one record or one page of a list. */
const AIM = 0.1;
/** For operations that read all records, or all of a day. */
const WHOLE_AIM = 1.1;
/** Runs once, before all others, because it closes the day that contains all payments. */
const CLOSING = {
  name: 'the close of a day',
  path: '/_sandbox/settlements/close',
  method: 'POST',
  body: {},
  isWhole: true,
};
const PHONE = '/pay/versions/phone/263770000001';

export async function benchGrowth() {
  const rows = [];
  for (const merchants of MERCHANTS) {
    const levels = [];
    for (const payments of LEVELS) {
      levels.push(await fillSandbox(payments, merchants));
    }
    for await (const { name, isWhole, costs, times } of costsAt(levels)) {
      rows.push({
        name: `${name}, ${merchants === 1 ? 'one merchant' : `${merchants} merchants`}: exponent`,
        value: exponentOf(costs),
        aim: isWhole ? WHOLE_AIM : AIM,
        isMaximum: true,
        note: `${costs.map((cost) => cost.toFixed(2)).join(', ')} ms at ${LEVELS.map(withCommas).join(', ')}${times === 1 ? ' (done once)' : ''}`,
      });
    }
    for (const { sandbox } of levels) {
      await sandbox.stop();
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

/** Stores the given number of payments of one payer, for each merchant in turn. */
async function fillSandbox(payments, merchants) {
  const sandbox = await startSandbox(':memory:', '--now', START);
  const { url } = sandbox;
  await followScenario(url, 'PT0S');
  let number = 0;
  const pay = async () => {
    for (; number < payments; ) {
      number += 1;
      const merchant = number % merchants;
      const credentials =
        merchant === 0 ? {} : { merchantId: `M-2${merchant}`, merchantApiKey: 'key', merchantKey: 'key' };
      const body = bodyOf(
        { ...CHANNELS['mobile money'], ...credentials },
        number === 1 ? 'ORDER-1001' : `GROWN-${number}`,
      );
      await call(`${url}${WALLET}`, 'POST', body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, pay));
  const auth = await callJson(`${url}/auth/authenticate/merchantRequest`, 'POST', CREDENTIALS);
  const document = await callJson(`${url}/_sandbox/openapi.json`, 'GET');
  const operations = everyOperation(document, auth.token ?? auth.auth?.token);
  return { sandbox, url, operations };
}

async function followScenario(url, after) {
  const rules = [{ when: { operation: 'initiatePayment' }, settle: { outcome: 'Paid', after } }];
  await call(`${url}/_sandbox/scenarios/bench`, 'PUT', { name: 'bench', description: '', rules });
  await call(`${url}/_sandbox/scenario`, 'PUT', { name: 'bench' });
}

/** Milliseconds of each operation at each level. Refused calls are omitted: those that work only once, or need other records. */
async function* costsAt(levels) {
  const [{ operations }] = levels;
  const usual = operations.filter(({ isLast, isStream }) => !isLast && !isStream);
  yield* costsOf(CLOSING, levels, 1, ({ url }) => timeOf(url, CLOSING));
  for (const request of [...EVERY_PAGE, ...usual]) {
    yield* costsOf(request, levels, TRIES, ({ url }) => timeOf(url, request));
  }
  for (const command of await commands()) {
    yield* costsOf({ name: `merchant-sandbox ${command}` }, levels, 3, ({ url }) => timeOfCommand(command, url));
  }
  yield* costsOf({ name: 'an event to a stream' }, levels, TRIES, ({ url }) => timeOfEvent(url));
  for (const path of [PHONE, '/_sandbox/events', '/_sandbox/stream']) {
    const name = `a payment with ${READERS} readers of ${path}`;
    yield* costsOf({ name }, levels, TRIES, ({ url }) => withReaders(`${url}${path}`, () => timeOfPayment(url)));
  }
  yield* costsOf({ name: 'a payment that is decided by a job' }, levels, TRIES, ({ url }) => timeOfJob(url));
  for (const request of operations.filter(({ isLast }) => isLast)) {
    yield* costsOf(request, levels, 1, ({ url }) => timeOf(url, request));
  }
}

async function* costsOf({ name, isWhole = false }, levels, tries, timeAt) {
  const costs = levels.map(() => undefined);
  let times = 0;
  for (let count = 0; count < tries; count += 1) {
    for (const [index, level] of levels.entries()) {
      try {
        const milliseconds = await timeAt(level);
        costs[index] = Math.min(costs[index] ?? milliseconds, milliseconds);
        times += 1 / levels.length;
      } catch {
        // Its example needs a record that does not exist, or works only once.
      }
    }
  }
  if (costs.every((cost) => cost !== undefined)) {
    yield { name, isWhole, costs, times: Math.round(times) };
  }
}

async function timeOf(url, { name, path, method, body, headers }) {
  const content = name === 'putState' ? (await call(`${url}/_sandbox/state`, 'GET')).text : body;
  return (await call(`${url}${path}`, method, content, headers)).milliseconds;
}

async function measureTime(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Commands that need no arguments, and end by themselves. */
async function commands() {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/cli.js', '--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) \[options\](?! <)/gm)].map(([, name]) => name);
  return names.filter((name) => !['start', 'events', 'mcp', 'wait', 'reset', 'resend'].includes(name));
}

function timeOfCommand(command, url) {
  return measureTime(() => promisify(execFile)(process.execPath, ['dist/cli.js', command, '--url', url]));
}

let numbers = 0;

function timeOfPayment(url) {
  numbers += 1;
  const body = bodyOf(CHANNELS['mobile money'], `MORE-${numbers}`);
  return call(`${url}${WALLET}`, 'POST', body).then(({ milliseconds }) => milliseconds);
}

/** The time from a call until a reader has its event. */
async function timeOfEvent(url) {
  await followScenario(url, 'PT0S');
  const stream = await openStream(`${url}/_sandbox/events`);
  const milliseconds = await measureTime(async () => {
    const paid = stream.until('payment.paid');
    await timeOfPayment(url);
    await paid;
  });
  stream.close();
  return milliseconds;
}

async function openStream(url) {
  const stop = new AbortController();
  const answer = await fetch(url, { signal: stop.signal, headers: { accept: 'text/event-stream' } });
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}`);
  }
  const parts = answer.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  return {
    async until(text) {
      for (let part = await parts.next(); !part.done; part = await parts.next()) {
        if (part.value.includes(text)) {
          return;
        }
      }
    },
    close: () => stop.abort(),
  };
}

async function withReaders(url, work) {
  const stop = new AbortController();
  const open = () => fetch(url, { signal: stop.signal });
  const answers = await Promise.all(Array.from({ length: READERS }, open));
  const read = answers.map(({ body }) => body.pipeTo(new WritableStream()).catch(() => undefined));
  try {
    return await work();
  } finally {
    stop.abort();
    await Promise.all(read);
  }
}

/** The time to move the clock by a second to a due job. */
async function timeOfJob(url) {
  await followScenario(url, 'PT1S');
  await timeOfPayment(url);
  const { milliseconds } = await call(`${url}/_sandbox/clock/advance`, 'POST', { by: 'PT1S' });
  return milliseconds;
}
