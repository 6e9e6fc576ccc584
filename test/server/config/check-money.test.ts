import { readFileSync } from 'node:fs';
import type { CurrenciesFixture, FeesFixture } from '../../../src/base/schema/generated/fixtures.ts';
import { checkCurrencies, checkFeeRows } from '../../../src/server/config/check-money.ts';

type Currencies = CurrenciesFixture['currencies'];

const START = '2024-01-01T00:00:00.000Z';
const CURRENCY = { currencyName: 'Any', currencySymbol: '$', createdAt: START, updatedAt: START };

const findingsOf = (...codes: string[]) =>
  checkCurrencies({
    currencies: codes.map((currencyCode, index) => ({ ...CURRENCY, id: index + 1, currencyCode })) as Currencies,
  });

/** From ISO 4217. Repeated here, because the list in src/ may lack a code. */
const OTHER_DECIMALS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

describe('a currency', () => {
  it.each(
    Object.entries(OTHER_DECIMALS).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals])),
  )('%s is refused, because its amounts have %s decimals', (code = '', decimals = '') => {
    expect(findingsOf('USD', code)).toMatchObject([
      { path: '$.currencies[1].currencyCode', received: `"${code}", which has ${decimals}` },
    ]);
  });

  it.each(['USD', 'EUR', 'ZAR', 'ZWG', 'GBP'])('%s is accepted, because its amounts have two decimals', (code) => {
    expect(findingsOf(code)).toEqual([]);
  });
});

/** The findings about the first row of fixtures/fees.json with other members. */
const findingsWith = (members: Partial<FeesFixture['fees'][number]>) => {
  const { fees } = JSON.parse(readFileSync('fixtures/fees.json', 'utf8')) as FeesFixture;
  return checkFeeRows({ fees: fees.slice(0, 1).map((row) => ({ ...row, ...members })) });
};

describe('a row of fees', () => {
  it('may have a minimum up to its maximum', () => {
    expect(findingsWith({ feesMinAmount: 10, feesMaxAmount: 10 })).toEqual([]);
    expect(findingsWith({ feesMinAmount: 10.01, feesMaxAmount: 10 })).toMatchObject([
      { path: '$.fees[0].feesMinAmount' },
    ]);
  });

  it('may not end at the instant at which it starts', () => {
    const [start, end] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
    expect(findingsWith({ feesStartDate: start, feesEndDate: end })).toEqual([]);
    expect(findingsWith({ feesStartDate: start, feesEndDate: start })).toMatchObject([
      { path: '$.fees[0].feesEndDate' },
    ]);
  });

  it.each([
    [50, 50, []],
    [50.01, 50.01, ['$.fees[0].feesMarkUp']],
    [0.01, 100, ['$.fees[0].feesGatewayFee']],
    [100, 0.01, ['$.fees[0].feesMarkUp']],
  ])('must have percentages that add up to at most 100: %d and %d', (feesMarkUp, feesGatewayFee, paths) => {
    const found = findingsWith({ feesMarkUp, feesGatewayFee, feesMaxAmount: 100 });
    expect(found.map(({ path }) => path)).toEqual(paths);
  });
});
