// Compares a status query by reference among many payments with a bare Express that answers a GET with a query.
import { compareWithExpress } from '../measure.mjs';
import { CHANNELS, CREDENTIALS } from '../payment.mjs';
import { call, callJson, startSandbox, withCommas, withStored } from '../sandbox.mjs';

const STATUS = '/sandbox/api/getPaymentDetails';
const QUERIES = 1000;
const PAGE = 1000;

export async function benchStatus(options) {
  const [count] = options.levels;
  const measured = await withStored(options.folder, count, async (data) => {
    const sandbox = await startSandbox(data);
    const { url, size, ...request } = await statusQueries(sandbox, count);
    const result = await compareWithExpress(options, url, request, size);
    await sandbox.stop();
    return result;
  });
  return [
    {
      name: `status query by reference at ${withCommas(count)} payments, relative to bare Express`,
      aim: 1,
      ...measured,
    },
  ];
}

/** A load of status queries for a sandbox with `count` payments; `size` is the length of an answer in bytes. */
export async function statusQueries(sandbox, count) {
  const { token } = await callJson(`${sandbox.url}/auth/authenticate/merchant`, 'POST', CREDENTIALS);
  const headers = { authorization: `Bearer ${token}` };
  const queries = (await references(sandbox.url, count)).map(queryOf);
  const url = `${sandbox.url}${STATUS}`;
  const { text } = await call(`${url}?${queries[0]}`, 'GET', undefined, headers);
  return { url, method: 'GET', headers, queries, size: Buffer.byteLength(text) };
}

/** References of at least `QUERIES` payments, evenly spread from the first to the last; of all, if there are fewer. */
async function references(url, count) {
  const every = Math.max(1, Math.floor(count / QUERIES));
  const items = [];
  let cursor = '';
  while (cursor !== null) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await callJson(`${url}/_sandbox/payments?order=oldest&limit=${PAGE}${next}`, 'GET');
    items.push(...page.items.map(({ payerReference }) => payerReference));
    cursor = page.nextCursor;
  }
  return items.filter((_, index) => index % every === 0);
}

function queryOf(transactionReference) {
  return String(new URLSearchParams({ transactionReference, walletName: CHANNELS['mobile money'].walletName }));
}
