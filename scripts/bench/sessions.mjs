// A session is made and emptied in the time of a payment, however much it keeps.
import { bodyOf, MOBILE_MONEY, WALLET } from './payment.mjs';
import { load, median, startServer } from './processes.mjs';

const ROUNDS = 15;
const BODY = bodyOf(MOBILE_MONEY);

async function timed(url, body) {
  const started = performance.now();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await answer.text();
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}`);
  }
  return performance.now() - started;
}

export async function benchSessions() {
  const sandbox = await startServer([
    'dist/cli.js',
    'start',
    '--port',
    '0',
    '--data',
    ':memory:',
    '--log-level',
    'warn',
  ]);
  const [payments, creations, resets] = [[], [], []];
  await timed(`${sandbox.url}/_sandbox/sessions`, JSON.stringify({ name: 'warm' }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = `${sandbox.url}/s/full-${round}`;
    creations.push(await timed(`${sandbox.url}/_sandbox/sessions`, JSON.stringify({ name: `full-${round}` })));
    await load({ url: `${base}${WALLET}`, body: BODY, amount: 10_000 });
    payments.push(await timed(`${base}${WALLET}`, BODY));
    resets.push(await timed(`${base}/_sandbox/reset`, ''));
  }
  await sandbox.stop();
  const payment = median(payments);
  const note = (values) => `${median(values).toFixed(2)} ms against ${payment.toFixed(2)} ms`;
  return [
    {
      name: 'making a session, times a payment',
      value: median(creations) / payment,
      aim: 1,
      least: true,
      note: note(creations),
    },
    {
      name: 'reset with 10,000 payments, times a payment',
      value: median(resets) / payment,
      aim: 1,
      least: true,
      note: note(resets),
    },
  ];
}
