import Big from 'big.js';
import { LARGEST_AMOUNT, toDecimalText } from '../base/money.ts';
import { errorFinding, type Finding } from '../base/refusal.ts';
import type { AdjustmentsFixture, CurrenciesFixture, FeesFixture } from '../base/schema/fixtures.ts';

/** Codes of ISO 4217 whose minor unit is not a hundredth, by the number of its decimals. */
const OTHER_DECIMALS: Readonly<Record<number, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
};

const MOST = `at most ${toDecimalText(LARGEST_AMOUNT)}`;
const ADDED_UP = 'of which 100,000 add up to the cent';

/** Currencies whose amounts have two decimals, as the interface writes all amounts. Source: INTERFACE.md. */
export function checkCurrencies({ currencies }: CurrenciesFixture): Finding[] {
  return currencies.flatMap(({ currencyCode }, index) => {
    const [decimals] = Object.entries(OTHER_DECIMALS).find(([, codes]) => codes.includes(currencyCode)) ?? [];
    const expected = 'a currency with two decimals, as the interface writes all amounts with two';
    const received = `${JSON.stringify(currencyCode)}, which has ${decimals}`;
    return decimals === undefined ? [] : [errorFinding(`$.currencies[${index}].currencyCode`, expected, received)];
  });
}

/** Fees under which the largest amount, with them, can still be added up. */
export function checkFeeAmounts({ fees }: FeesFixture): Finding[] {
  return fees.flatMap(({ feesMaxAmount, feesMarkUp, feesServiceProviderFee, feesGatewayFee }, index) => {
    const percent = new Big(feesMarkUp).plus(feesGatewayFee).div(100);
    const largest = percent.plus(1).times(feesMaxAmount).plus(feesServiceProviderFee);
    const path = `$.fees[${index}].feesMaxAmount`;
    return largest.times(100).lte(LARGEST_AMOUNT)
      ? []
      : [
          errorFinding(
            path,
            `${MOST} with its fees, ${ADDED_UP}`,
            `${feesMaxAmount}, ${largest.toFixed(2)} with its fees`,
          ),
        ];
  });
}

export function checkChargebackFees({ chargeback: { fees } }: AdjustmentsFixture): Finding[] {
  return Object.entries(fees).flatMap(([currency, fee]) =>
    new Big(fee).times(100).lte(LARGEST_AMOUNT)
      ? []
      : [errorFinding(`$.chargeback.fees.${currency}`, ADDED_UP, String(fee))],
  );
}
