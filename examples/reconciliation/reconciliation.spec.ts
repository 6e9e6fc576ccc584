import { useSandbox } from 'merchant-sandbox/vitest';
import { describe, expect, it } from 'vitest';
import { cents, type Finding, type Order, readCsv, reconcile } from './reconcile.ts';

const TEN = Array.from({ length: 10 }, (_, number) => `ORDER-${number + 1}`);
const PAYMENT = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
  walletName: 'WALLET_QR',
  amount: '10.00',
  paymentCurrency: 'USD',
  paymentDescription: 'Tea',
  payerName: 'Ann Payer',
  payerAccountId: 7,
  profileId: 1,
};

// The seed of the session decides which lines are wrong, and the reconciliation must find all of them.
describe.each(['1', '2', '3'])('with seed %s', (seed) => {
  const session = useSandbox({ seed, now: '2026-03-02T10:00:00Z' });

  /** Creates orders of 10.00 that are paid today, and returns them as the shop's own records have them. */
  async function paidOrders(date: string, references: string[]): Promise<Map<string, Order>> {
    for (const payerReference of references) {
      await fetch(`${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...PAYMENT, payerReference }),
      });
      await session.settle(payerReference, 'Paid');
    }
    return new Map(references.map((reference) => [reference, { amount: 1000, currency: 'USD', date }]));
  }

  async function fileOf(settlement: string) {
    const answer = await fetch(`${session.baseUrl}/_sandbox/settlements/${settlement}/file?format=csv`);
    return readCsv(await answer.text());
  }

  it('finds nothing in a correct file', async () => {
    const orders = await paidOrders('2026-03-02', TEN);
    await session.advance('P1D');
    expect(reconcile(orders, await fileOf('settlement-1'))).toEqual([]);
  });

  it('finds every mistake in a file, and nothing else', async () => {
    await session.useScenario('settlement-mismatches');
    const orders = await paidOrders('2026-03-02', TEN);
    await session.advance('P1D');
    const rows = await fileOf('settlement-1');
    const key = await session.call<{ findings: (Finding & { difference: number })[] }>(
      'GET',
      '/settlements/settlement-1/answer-key',
    );

    // A line that arrives in the next file looks like a missing line today.
    const expected = key.findings.map(({ kind, reference }) => ({
      kind: kind === 'next-day' ? 'missing' : kind,
      reference,
    }));
    const sorted = (list: Finding[]) => list.map(({ kind, reference }) => `${kind} ${reference}`).sort();
    expect(sorted(reconcile(orders, rows))).toEqual(sorted(expected));

    // The totals are as booked, so the lines differ from them by the sum of all mistakes.
    const sum = rows.filter(({ record }) => record === 'L').reduce((added, { net }) => added + cents(net), 0);
    const total = cents(rows.find(({ record }) => record === 'T')?.['net']);
    expect(sum - total).toBe(key.findings.reduce((added, { difference }) => added + difference, 0));
  });

  it('accepts a missing line in the next file', async () => {
    await session.useScenario('settlement-mismatches');
    const first = await paidOrders('2026-03-02', TEN);
    await session.advance('P1D');
    await session.useScenario('payer-decides');
    const findings = reconcile(first, await fileOf('settlement-1'));
    const missing = findings.filter(({ kind }) => kind === 'missing').map(({ reference }) => reference);
    expect(missing).toHaveLength(2);

    const second = await paidOrders('2026-03-03', ['ORDER-11']);
    await session.advance('P1D');
    const [late, ...others] = reconcile(second, await fileOf('settlement-2'), missing);
    expect([late?.kind, missing.includes(late?.reference ?? ''), others]).toEqual(['late', true, []]);
  });
});
