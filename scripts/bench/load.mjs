// One load run in a process of its own, so that the generator never shares the server's core. Prints its result as JSON.
import autocannon from 'autocannon';

const { url, body, seconds, amount, connections = 10 } = JSON.parse(process.argv[2]);
const result = await autocannon({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
  // Every payment has a reference of its own, as a merchant's would.
  idReplacement: body.includes('[<id>]'),
  connections,
  ...(amount ? { amount } : { duration: seconds }),
});
const failed = result.non2xx + result.errors + result.timeouts;
console.log(
  JSON.stringify({
    perSecond: result.requests.total / result.duration,
    total: result.requests.total,
    failed,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
);
