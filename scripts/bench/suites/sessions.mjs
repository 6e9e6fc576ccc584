// Checks that reset and delete of a session with many payments take no longer than a payment.
import { inTurns, median, medianOf } from '../measure.mjs';
import { MOBILE_MONEY, WALLET } from '../payment.mjs';
import { call, startSandbox, store, withCommas, withStored } from '../sandbox.mjs';

const WARM = 3_000;
const WARM_SESSIONS = 300;
const PAYMENTS = 20;

const OPERATIONS = {
  reset: (url, session) => call(`${url}/s/${session}/_sandbox/reset`, 'POST'),
  delete: (url, session) => call(`${url}/_sandbox/sessions/${session}`, 'DELETE'),
};

export async function benchSessions({ rounds, levels: [count], folder }) {
  const rows = [];
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    const [results] = await inTurns(rounds, () => withStored(folder, count, (data) => emptyOnce(data, operate)));
    const milliseconds = (member) => `${medianOf(results, member).toFixed(2)} ms`;
    rows.push({
      name: `${name} of a session with ${withCommas(count)} payments, relative to a payment`,
      value: median(results.map(({ payment, operation }) => operation / payment)),
      aim: 1,
      isMaximum: true,
      note: `${milliseconds('operation')} against ${milliseconds('payment')}`,
    });
  }
  return rows;
}

/** The payments are in the session `default`; operations on other sessions run first, so that all code is compiled. */
async function emptyOnce(data, operate) {
  const sandbox = await startSandbox(data);
  const { url } = sandbox;
  await store(`${url}/s/warm`, WARM);
  const pay = (session) => call(`${url}/s/${session}${WALLET}`, 'POST', MOBILE_MONEY);
  for (let number = 0; number < WARM_SESSIONS; number += 1) {
    await pay(`warm-${number}`);
    await operate(url, `warm-${number}`);
  }
  const payments = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    payments.push((await pay('default')).milliseconds);
  }
  const { milliseconds } = await operate(url, 'default');
  await sandbox.stop();
  return { payment: median(payments), operation: milliseconds };
}
