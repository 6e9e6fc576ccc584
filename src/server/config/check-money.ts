import Big from 'big.js';
import { exactMinorUnits, MAX_AMOUNT, toDecimalText, unsupportedDecimals } from '../../base/money.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { AdjustmentsFixture, CurrenciesFixture, FeesFixture } from '../../base/schema/generated/fixtures.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { parseInstant } from '../../base/time.ts';

const MAX_AMOUNT_IN_WORDS = `at most ${toDecimalText(MAX_AMOUNT)}`;
/** Why amounts are limited: sums of larger ones could be inexact. */
const EXACT_SUM = 'so that the sum of 100,000 such amounts is right to the cent';

type FeeRow = FeesFixture['fees'][number];

/** Findings about repeated codes, and about currencies without two decimals, because all amounts in INTERFACE.md have two. */
export function checkCurrencies({ currencies }: CurrenciesFixture): Finding[] {
  const codes = currencies.map(({ currencyCode }) => currencyCode);
  return currencies.flatMap(({ currencyCode }, index) => {
    const first = codes.indexOf(currencyCode);
    if (first < index) {
      const received = `${JSON.stringify(currencyCode)}, the code of id ${currencies[first]?.id}`;
      return [errorFinding(`$.currencies[${index}].currencyCode`, 'a code that no other currency has', received)];
    }
    const decimals = unsupportedDecimals(currencyCode);
    const expected = 'a currency with two decimals, as the interface writes all amounts with two';
    const received = `${JSON.stringify(currencyCode)}, which has ${decimals}`;
    return decimals === undefined ? [] : [errorFinding(`$.currencies[${index}].currencyCode`, expected, received)];
  });
}

export function checkFeeRows({ fees }: FeesFixture): Finding[] {
  return fees.flatMap((row, index) => {
    const path = `$.fees[${index}]`;
    const duplicate = fees.slice(0, index).find((other) => isAmbiguous(other, row));
    return [
      ...checkFeePercentages(row, path),
      ...checkLargestFees(row, path),
      ...(row.feesMinAmount > row.feesMaxAmount
        ? [errorFinding(`${path}.feesMinAmount`, `at most feesMaxAmount, ${row.feesMaxAmount}`, `${row.feesMinAmount}`)]
        : []),
      ...(parseInstant(row.feesEndDate) <= parseInstant(row.feesStartDate)
        ? [errorFinding(`${path}.feesEndDate`, `a time after feesStartDate, ${row.feesStartDate}`, row.feesEndDate)]
        : []),
      ...(duplicate
        ? [
            errorFinding(
              `${path}.feesStartDate`,
              `a start other than that of the row with id ${duplicate.id}, which has the same channel, currency and merchant`,
              row.feesStartDate,
            ),
          ]
        : []),
    ];
  });
}

/** Whether two rows apply to the same payments from the same time on. Otherwise the row that started last applies. */
function isAmbiguous(one: FeeRow, other: FeeRow): boolean {
  const isSame = (['channel', 'feesCurrencyId', 'feesMerchantId'] as const).every((name) => one[name] === other[name]);
  const startTimes = [one, other].map(({ feesStartDate }) => parseInstant(feesStartDate));
  return isSame && one.feesStatus && other.feesStatus && startTimes[0] === startTimes[1];
}

/** Percentages above 100 are a mistake, such as 170 instead of 1.70. The flat fee is not checked, because it may exceed a small amount. */
function checkFeePercentages({ feesMarkUp, feesGatewayFee }: FeeRow, path: string): Finding[] {
  const [larger, other] =
    feesMarkUp >= feesGatewayFee
      ? (['feesMarkUp', 'feesGatewayFee'] as const)
      : (['feesGatewayFee', 'feesMarkUp'] as const);
  const sum = new Big(feesMarkUp).plus(feesGatewayFee);
  const received = `${{ feesMarkUp, feesGatewayFee }[larger]}, ${sum.toFixed()} together`;
  return sum.lte(100)
    ? []
    : [errorFinding(`${path}.${larger}`, `at most 100 percent together with ${other}`, received)];
}

/** `feesMaxAmount` plus its fees must not exceed MAX_AMOUNT. */
function checkLargestFees(row: FeeRow, path: string): Finding[] {
  const { feesMaxAmount, feesMarkUp, feesServiceProviderFee, feesGatewayFee } = row;
  const feeShare = new Big(feesMarkUp).plus(feesGatewayFee).div(100);
  const largestTotal = feeShare.plus(1).times(feesMaxAmount).plus(feesServiceProviderFee);
  const received = `${feesMaxAmount}, ${largestTotal.toFixed(2)} with its fees`;
  return exactMinorUnits(largestTotal).lte(MAX_AMOUNT)
    ? []
    : [errorFinding(`${path}.feesMaxAmount`, `${MAX_AMOUNT_IN_WORDS} with its fees, ${EXACT_SUM}`, received)];
}

export function checkChargebackFees({ chargeback: { fees } }: AdjustmentsFixture): Finding[] {
  return Object.entries(fees).flatMap(([currency, fee]) =>
    exactMinorUnits(fee).lte(MAX_AMOUNT)
      ? []
      : [errorFinding(memberPath('$.chargeback.fees', currency), `${MAX_AMOUNT_IN_WORDS}, ${EXACT_SUM}`, String(fee))],
  );
}

/** A chargeback fee in a currency that no payment has would never be charged. */
export function checkChargebackCurrencies(
  { chargeback: { fees } }: AdjustmentsFixture,
  { currencies }: CurrenciesFixture,
): Finding[] {
  const codes = currencies.map(({ currencyCode }) => currencyCode);
  return Object.keys(fees).flatMap((currency) =>
    codes.includes(currency)
      ? []
      : [
          errorFinding(
            memberPath('$.chargeback.fees', currency),
            `a fee in a currency of currencies.json: ${codes.join(', ')}`,
            JSON.stringify(currency),
          ),
        ],
  );
}
