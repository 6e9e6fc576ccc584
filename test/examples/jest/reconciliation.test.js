const { useSandbox } = require('merchant-sandbox/jest');
const { payForOrder } = require('./shop');
const { readCsv, reconcile } = require('./reconcile');

const session = useSandbox({ now: '2026-03-02T10:00:00Z' });

/** Orders that are paid today, as the shop has them in its own books. */
async function paidOrders(date, references) {
  for (const reference of references) {
    await payForOrder(session.baseUrl, reference);
    await session.settle(reference, 'Paid');
  }
  return new Map(references.map((reference) => [reference, { amount: 1000, currency: 'USD', date }]));
}

async function fileOf(settlement) {
  const answer = await fetch(`${session.baseUrl}/_sandbox/settlements/${settlement}/file?format=csv`);
  return readCsv(await answer.text());
}

const TEN = Array.from({ length: 10 }, (_, number) => `ORDER-${number + 1}`);

it('finds nothing in a file that is right', async () => {
  const orders = await paidOrders('2026-03-02', TEN);
  await session.advance('P1D');
  expect(reconcile(orders, await fileOf('settlement-1'))).toEqual({ findings: [], difference: 0 });
});

it('finds every mistake in a file, and nothing else', async () => {
  await session.useScenario('settlement-mismatches');
  const orders = await paidOrders('2026-03-02', TEN);
  await session.advance('P1D');

  const { findings, difference } = reconcile(orders, await fileOf('settlement-1'));
  const key = await session.call('GET', '/settlements/settlement-1/answer-key');

  // Today nobody can tell a line that is lost from one that comes tomorrow.
  const expected = key.findings.map(({ kind, reference }) => ({
    kind: kind === 'next-day' ? 'missing' : kind,
    reference,
  }));
  const byText = (list) => list.map((each) => JSON.stringify(each)).sort();
  expect(byText(findings)).toEqual(byText(expected));
  expect(difference).toBe(key.findings.reduce((sum, each) => sum + each.difference, 0));
});

it('waits a day for a line before it makes a fuss', async () => {
  await session.useScenario('settlement-mismatches');
  const first = await paidOrders('2026-03-02', TEN);
  await session.advance('P1D');
  await session.useScenario('payer-decides');
  const { findings } = reconcile(first, await fileOf('settlement-1'));
  const missing = findings.filter(({ kind }) => kind === 'missing').map(({ reference }) => reference);
  expect(missing).toHaveLength(2);

  const second = await paidOrders('2026-03-03', ['ORDER-11']);
  await session.advance('P1D');
  const [late, ...others] = reconcile(second, await fileOf('settlement-2'), missing).findings;
  expect([late.kind, missing.includes(late.reference), others]).toEqual(['late', true, []]);
});
