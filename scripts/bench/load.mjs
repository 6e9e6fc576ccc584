// As many requests as go, in a process of its own, so that the generator never shares the server's core. Prints its result as JSON.
import autocannon from 'autocannon';

const { url, method = 'POST', headers, body, queries, seconds, amount, connections = 10 } = JSON.parse(process.argv[2]);
const result = await autocannon({
  url,
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body,
  // Every payment has a reference of its own, as a merchant's would.
  idReplacement: body?.includes('[<id>]'),
  // One after the other, and from the start again.
  ...(queries ? { requests: queries.map((query) => ({ path: `${new URL(url).pathname}?${query}` })) } : {}),
  connections,
  ...(amount ? { amount } : { duration: seconds }),
});
console.log(
  JSON.stringify({
    perSecond: result.requests.total / result.duration,
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
);
