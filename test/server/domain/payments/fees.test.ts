import fc from 'fast-check';
import { loadFixtures } from '../../../../src/server/config/fixtures.ts';
import { sumOfFees } from '../../../../src/server/domain/books/ledger/accounts.ts';
import { computeFees, type FeeRow, feesInForce, findFees } from '../../../../src/server/domain/payments/fees.ts';
import { cases } from '../../../cases.ts';
import { requireDefined } from '../workbench.ts';

const shipped = await loadFixtures();
const sample = requireDefined(shipped.fees.fees[0]);
const withRows = (...rows: Partial<FeeRow>[]) => ({
  ...shipped,
  fees: { fees: rows.map((row, id) => ({ ...sample, id, ...row })) },
});
const day = (number: number) => Date.UTC(2026, 0, number);
const iso = (instant: number) => new Date(instant).toISOString();

it('the shipped fees cover every channel, and payouts, in every currency', () => {
  const at = Date.parse('2026-03-01T10:00:00.000Z');
  for (const channel of [...shipped.channels.channels.map(({ id }) => id), 'payout']) {
    for (const { id: currencyId } of shipped.currencies.currencies) {
      expect(feesInForce(shipped, { channel, currencyId, merchantId: 'M-1000', at })).toEqual({
        row: expect.objectContaining({ channel }),
      });
    }
  }
});

it('the fee row in force is the merchant’s own row that started last, or else the general row that started last', () => {
  const rows = fc.array(
    fc.record({
      channel: fc.constantFrom('qr-wallet', 'qr-wallet', 'mobile-money'),
      feesCurrencyId: fc.constantFrom(1, 1, 2),
      feesMerchantId: fc.constantFrom('DEFAULT', 'M-1000', 'M-1001'),
      feesStatus: fc.boolean(),
      start: fc.integer({ min: 1, max: 20 }),
      days: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 40 }), (all, today) => {
      const fixtures = withRows(
        ...all.map(({ start, days, ...row }) => ({
          ...row,
          feesStartDate: iso(day(start)),
          feesEndDate: iso(day(start + days)),
        })),
      );
      const fitting = all
        .map((row, id) => ({ ...row, id }))
        .filter(({ channel, feesCurrencyId }) => channel === 'qr-wallet' && feesCurrencyId === 1)
        .filter(({ feesStatus, start, days }) => feesStatus && start <= today && today < start + days)
        .sort((a, b) => b.start - a.start || a.id - b.id);
      for (const merchantId of ['M-1000', undefined]) {
        const query = { channel: 'qr-wallet', currencyId: 1, merchantId, at: day(today) };
        const result = feesInForce(fixtures, query);
        const expected = [merchantId, 'DEFAULT'].flatMap((id) => fitting.filter((row) => row.feesMerchantId === id));
        expect('row' in result ? result.row.id : undefined).toBe(expected[0]?.id);
      }
    }),
    { numRuns: cases(100) },
  );
});

it.each([
  ['there is no row', [], 'which has no fees on qr-wallet'],
  ['the rows are another merchant’s', [{ feesMerchantId: 'M-1001' }], 'which has no fees on qr-wallet'],
  ['the rows are of another currency', [{ feesCurrencyId: 2 }], 'which has no fees on qr-wallet'],
  [
    'the row is switched off',
    [{ feesStatus: false }],
    'whose fees on qr-wallet are switched off (feesStatus is false)',
  ],
  [
    'the rows have ended, and the first one in the file ended first',
    [{ feesEndDate: iso(day(4)) }, { feesEndDate: iso(day(5)) }],
    `whose fees on qr-wallet ended on ${iso(day(5))}`,
  ],
  [
    'the rows have not started, and the second one in the file starts first',
    [{ feesStartDate: iso(day(8)) }, { feesStartDate: iso(day(7)) }],
    `whose fees on qr-wallet start on ${iso(day(7))}`,
  ],
  ['the row has ended', [{ feesEndDate: iso(day(5)) }], `whose fees on qr-wallet ended on ${iso(day(5))}`],
  ['the row has not started', [{ feesStartDate: iso(day(7)) }], `whose fees on qr-wallet start on ${iso(day(7))}`],
])('missing fees are reported with the reason: %s', (_title, rows, remark) => {
  const query = { channel: 'qr-wallet', currencyId: 1, merchantId: 'M-1000', at: day(5) };
  expect(feesInForce(withRows(...rows), query)).toEqual({ remark });
});

it('while a merchant’s own row is in force, it has priority over a general row that started later', () => {
  const fixtures = withRows(
    { feesMerchantId: 'M-1000', feesStartDate: iso(day(1)), feesEndDate: iso(day(5)) },
    { feesStartDate: iso(day(2)) },
  );
  const feesOf = (merchantId: string | undefined, at: number) =>
    feesInForce(fixtures, { channel: 'qr-wallet', currencyId: 1, merchantId, at });
  expect(feesOf('M-1000', day(4))).toMatchObject({ row: { id: 0 } });
  expect(feesOf('M-1000', day(5))).toMatchObject({ row: { id: 1 } });
  expect([feesOf('M-1001', day(4)), feesOf(undefined, day(4))]).toMatchObject([{ row: { id: 1 } }, { row: { id: 1 } }]);
});

it('at the instant at which one fee row ends and the next one starts, the next one is in force', () => {
  const fixtures = withRows({ feesEndDate: iso(day(5)) }, { feesStartDate: iso(day(5)) });
  const feesAt = (at: number) =>
    feesInForce(fixtures, { channel: 'qr-wallet', currencyId: 1, merchantId: 'M-1000', at });
  expect(feesAt(day(5) - 1)).toMatchObject({ row: { id: 0 } });
  expect(feesAt(day(5))).toMatchObject({ row: { id: 1 } });
});

it('an amount is accepted from the minimum to the maximum, but never zero', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(cents, cents, cents, (one, other, amount) => {
      const [minimum, maximum] = [Math.min(one, other), Math.max(one, other)];
      const fixtures = withRows({ feesMinAmount: minimum / 100, feesMaxAmount: maximum / 100 });
      const order = { channel: 'qr-wallet', merchantId: 'M-1000', currency: 'USD', amountPath: '$.amount', at: day(5) };
      const isAccepted = (some: number) => findFees(fixtures, { ...order, amount: some }).brokenRules.length === 0;
      expect(isAccepted(amount)).toBe(amount > 0 && amount >= minimum && amount <= maximum);
      expect(isAccepted(0)).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});

it('the sum of the flat fee and both percentages is rounded half up, and each of them is within a cent of its exact value', () => {
  const tenths = fc.integer({ min: 0, max: 200 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000 }),
      tenths,
      tenths,
      fc.nat(10_000),
      (amount, markUp, gateway, flat) => {
        const row = {
          ...sample,
          feesMarkUp: markUp / 10,
          feesGatewayFee: gateway / 10,
          feesServiceProviderFee: flat / 100,
        };
        const exact = BigInt(amount) * BigInt(markUp + gateway);
        const fees = computeFees(row, amount);
        expect(sumOfFees(fees)).toBe(Number((exact * 2n + 1000n) / 2000n) + flat);
        const near = { markUp: (amount * markUp) / 1000, serviceProvider: flat, gateway: (amount * gateway) / 1000 };
        for (const kind of ['markUp', 'serviceProvider', 'gateway'] as const) {
          expect(Math.abs(fees[kind] - near[kind])).toBeLessThan(1.000_001);
        }
      },
    ),
    { numRuns: cases(100) },
  );
});
