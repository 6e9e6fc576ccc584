import type { CurrenciesFixture } from '../../../src/base/schema/generated/fixtures.ts';
import { checkCurrencies } from '../../../src/server/config/check-money.ts';

type Currencies = CurrenciesFixture['currencies'];

const START = '2024-01-01T00:00:00.000Z';
const CURRENCY = { currencyName: 'Any', currencySymbol: '$', createdAt: START, updatedAt: START };

const findingsOf = (...codes: string[]) =>
  checkCurrencies({
    currencies: codes.map((currencyCode, index) => ({ ...CURRENCY, id: index + 1, currencyCode })) as Currencies,
  });

/** From ISO 4217. Repeated here, because a code that is missing in the source would not be refused. */
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

  it.each(['USD', 'EUR', 'ZAR', 'ZWG', 'GBP'])('%s is accepted, because its amounts have two', (code) => {
    expect(findingsOf(code)).toEqual([]);
  });
});
