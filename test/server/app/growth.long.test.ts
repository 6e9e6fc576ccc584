import { EVERY_PAGE, everyOperation } from '../../../scripts/bench/every-operation.mjs';
import type { Sandbox } from '../../../src/sandbox.ts';
import { Table } from '../../../src/server/store/memory/table.ts';
import { startSandbox } from '../../../src/start-sandbox.ts';
import { tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';

// The cost of each call as the session fills, measured in records that are read, because times would depend on other programs.
// `npm run bench -- growth` measures the same calls in time, with far more payments.

const WALLET = '/sandbox/init/authenticate/merchant/wallet';
/** Even the smaller number fills a page of a list and the phone's page. */
const [FEW, MANY] = [240, 480];
const MERCHANTS = [1, 40];
/** Extra reads that are tolerated, because concurrent work reads, too. */
const SLACK = 5;
const CONCURRENT_CALLS = 20;
const START = Date.parse('2026-03-01T06:00:00Z');

let reads = 0;
const { get, find, list, all } = Table.prototype;
Table.prototype.get = function (id) {
  reads += 1;
  return get.call(this, id);
};
Table.prototype.find = function (...by) {
  const records = find.apply(this, by);
  reads += 1 + records.length;
  return records;
};
Table.prototype.list = function (options) {
  const where = (record: object) => {
    reads += 1;
    return options.where?.(record) ?? true;
  };
  return list.call(this, { ...options, where });
};
Table.prototype.all = function () {
  const records = all.call(this);
  reads += records.length;
  return records;
};

const sandboxes: Sandbox[] = [];
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

async function call(url: string, method = 'GET', body?: string, headers: Record<string, string> = {}): Promise<string> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body }),
  });
  return answer.text();
}

/** A sandbox with N paid payments by one payer, spread evenly over the merchants. A day is closed after half of them. */
async function sandboxWith(payments: number, merchants: number) {
  const sandbox = await startSandbox({ now: START });
  sandboxes.push(sandbox);
  const { url } = sandbox;
  const rules = [
    { when: { operation: 'initiatePayment' }, settle: { outcome: 'Paid', after: 'PT0S' } },
    { when: { operation: 'initiateBulkPayout' }, payoutFunds: 'enforced' },
  ];
  await call(`${url}/_sandbox/scenarios/paid`, 'PUT', JSON.stringify({ name: 'paid', description: '', rules }));
  await call(`${url}/_sandbox/scenario`, 'PUT', JSON.stringify({ name: 'paid' }));
  const pay = async (payerReference: string, number: number) => {
    const merchant = number % merchants;
    const credentials =
      merchant === 0 ? MERCHANT : { merchantId: `M-2${merchant}`, merchantApiKey: 'key', merchantKey: 'key' };
    const members = { payerReference, walletName: 'WALLET_MOBILE', payerMobile: '263770000001', ...credentials };
    await call(`${url}${WALLET}`, 'POST', JSON.stringify(exampleOf('requests/single-payment', members)));
  };
  const payAll = async (from: number, to: number) => {
    for (let number = from; number < to; number += CONCURRENT_CALLS) {
      const numbers = Array.from({ length: Math.min(CONCURRENT_CALLS, to - number) }, (_, index) => number + index);
      await Promise.all(numbers.map((each) => pay(each === 0 ? 'ORDER-1001' : `P-${each}`, each)));
    }
    await call(`${url}/_sandbox/clock/run-until-idle`, 'POST');
  };
  await payAll(0, payments / 2);
  const before = reads;
  await call(`${url}/_sandbox/settlements/close`, 'POST', '{}');
  const closingReads = reads - before;
  await payAll(payments / 2, payments);
  // Totals are computed at the first call, which would otherwise be counted.
  await call(`${url}/_sandbox/ledger/accounts`);
  await call(`${url}/_sandbox/overview`);
  return { url, closingReads };
}

/** The number of records that each operation and each page reads. */
async function readsOf(url: string): Promise<Map<string, { count: number; isWhole: boolean }>> {
  const document = JSON.parse(await call(`${url}/_sandbox/openapi.json`));
  const calls = [...EVERY_PAGE, ...everyOperation(document, await tokenOf(url))].filter(({ isStream }) => !isStream);
  const counts = new Map<string, { count: number; isWhole: boolean }>();
  for (const { name, isWhole, path, method, body, headers } of calls) {
    const requestBody = name === 'putState' ? await call(`${url}/_sandbox/state`) : body;
    const before = reads;
    await call(`${url}${path}`, method, requestBody, headers);
    counts.set(name, { count: reads - before, isWhole });
  }
  return counts;
}

it.each(MERCHANTS)(
  'an operation or page reads no more records as a session fills, unless it reads all (merchants: %i)',
  async (merchants) => {
    const smallSandbox = await sandboxWith(FEW, merchants);
    const largeSandbox = await sandboxWith(MANY, merchants);
    expect(largeSandbox.closingReads / smallSandbox.closingReads).toBeLessThan((MANY / FEW) ** 1.1);
    const [smallReads, largeReads] = [await readsOf(smallSandbox.url), await readsOf(largeSandbox.url)];
    const grown = [...largeReads].filter(([name, { count, isWhole }]) => {
      const before = smallReads.get(name)?.count ?? 0;
      return count > SLACK + before * (isWhole ? (MANY / FEW) ** 1.1 : 1);
    });
    expect(grown.map(([name, { count }]) => `${name}: ${smallReads.get(name)?.count} and ${count}`)).toEqual([]);
    expect(largeReads.size).toBeGreaterThan(100);
  },
);
