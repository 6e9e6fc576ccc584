// Sends as many requests as possible, in a separate process, which can run on another core than the server. Prints its result as JSON.
import autocannon from 'autocannon';

const { url, method = 'POST', headers, body, queries, seconds, amount, connections = 10 } = JSON.parse(process.argv[2]);
const run = autocannon({
  url,
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body,
  // Every payment has a unique reference, as in real traffic.
  idReplacement: body?.includes('[<id>]'),
  // autocannon sends them in a cycle.
  ...(queries ? { requests: queries.map((query) => ({ path: `${new URL(url).pathname}?${query}` })) } : {}),
  connections,
  ...(amount ? { amount } : { duration: seconds }),
});
// autocannon ends at whole seconds, even if the requested amount was reached long before.
let [started, ended] = [0, 0];
run.on('start', () => {
  started = performance.now();
});
run.on('response', () => {
  ended = performance.now();
});
const result = await run;
console.log(
  JSON.stringify({
    total: result.requests.total,
    perSecond: (1000 * result.requests.total) / (ended - started),
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
);
