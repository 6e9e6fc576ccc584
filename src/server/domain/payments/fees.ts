import Big from 'big.js';
import { apportion, exactMinorUnits, type MinorUnits, toDecimalText, toMinorUnits } from '../../../base/money.ts';
import type { Fees, Payment } from '../../../base/schema/generated/records.ts';
import { type Instant, parseInstant } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';
import type { BrokenRule } from '../broken-rules.ts';

export type FeeRow = Fixtures['fees']['fees'][number];

/** The feesMerchantId of rows that apply to every merchant. Source: reference, section 5. */
const EVERY_MERCHANT = 'DEFAULT';

interface FeeQuery {
  /** A channel of fixtures/channels.json, or `payout`. */
  channel: string;
  currencyId: number;
  /** Undefined if the merchant is unknown. */
  merchantId: string | undefined;
  at: Instant;
}

/**
 * A row of the merchant has priority over one for every merchant; of several, the one that started last applies. The remark says why no row
 * is in force, in words that can follow the currency.
 */
export function feesInForce(fixtures: Fixtures, query: FeeQuery): { row: FeeRow } | { remark: string } {
  const { channel, currencyId, merchantId, at } = query;
  const applies = (row: FeeRow) =>
    row.channel === channel &&
    row.feesCurrencyId === currencyId &&
    (row.feesMerchantId === merchantId || row.feesMerchantId === EVERY_MERCHANT);
  let bestRow: FeeRow | undefined;
  for (const row of fixtures.fees.fees) {
    const isInForce = applies(row) && row.feesStatus && termsOf(row).start <= at && at < termsOf(row).end;
    if (isInForce && (!bestRow || hasPriority(row, bestRow, merchantId))) {
      bestRow = row;
    }
  }
  return bestRow ? { row: bestRow } : { remark: explainMissingFees(channel, fixtures.fees.fees.filter(applies), at) };
}

function hasPriority(row: FeeRow, other: FeeRow, merchantId: string | undefined): boolean {
  const isOfMerchant = row.feesMerchantId === merchantId;
  const isOtherOfMerchant = other.feesMerchantId === merchantId;
  return isOfMerchant === isOtherOfMerchant ? termsOf(row).start > termsOf(other).start : isOfMerchant;
}

/**
 * Two percentages and a flat fee. Their sum is rounded half up, and the parts add up to it. Source: reference, section 5 (10.00 with three
 * fees of 2 costs 2.40).
 */
export function computeFees(row: FeeRow, amount: MinorUnits): Fees {
  const { markUp, serviceProvider, gateway, scale } = termsOf(row);
  const exactParts = [BigInt(amount) * markUp, serviceProvider, BigInt(amount) * gateway];
  const sum = exactParts.reduce((total, part) => total + part, 0n);
  const parts = apportion(Number((2n * sum + scale) / (2n * scale)), exactParts);
  return { markUp: parts[0] ?? 0, serviceProvider: parts[1] ?? 0, gateway: parts[2] ?? 0 };
}

/** An amount of 0 is never allowed, because it moves no money. */
export function validateLimits(row: FeeRow, amount: MinorUnits, path: string): BrokenRule[] {
  const { maximum } = termsOf(row);
  const minimum = Math.max(termsOf(row).minimum, 1);
  if (amount >= minimum && amount <= maximum) {
    return [];
  }
  const expected = `an amount from ${toDecimalText(minimum)} to ${toDecimalText(maximum)}, the limits of ${row.channel}`;
  return [{ path, expected, value: toDecimalText(amount), involves: ['$.channel', '$.currency'] }];
}

export function costToPayer({
  amount,
  fees,
  feesBorneBy,
}: Pick<Payment, 'amount' | 'fees' | 'feesBorneBy'>): MinorUnits {
  return amount + (feesBorneBy === 'payer' ? sumOfFees(fees) : 0);
}

interface FeeOrder {
  channel: string;
  merchantId: string;
  currency: string;
  amount: MinorUnits;
  amountPath: string;
  at: Instant;
}

/** The row is also returned if only the amount breaks a rule. */
export function findFees(
  fixtures: Fixtures,
  order: FeeOrder,
): { feeRow: FeeRow | undefined; brokenRules: BrokenRule[] } {
  const { channel, merchantId, currency, amount, amountPath, at } = order;
  const knownCurrency = fixtures.currencies.currencies.find(({ currencyCode }) => currencyCode === currency);
  if (!knownCurrency) {
    return { feeRow: undefined, brokenRules: validateCurrency(fixtures, currency) };
  }
  const result = feesInForce(fixtures, { channel, currencyId: knownCurrency.id, merchantId, at });
  if ('remark' in result) {
    return { feeRow: undefined, brokenRules: [missingFeesRule('$.currency', channel, currency, result.remark)] };
  }
  return { feeRow: result.row, brokenRules: validateLimits(result.row, amount, amountPath) };
}

export function missingFeesRule(path: string, channel: string, value: unknown, remark: string): BrokenRule {
  return {
    path,
    expected: `a currency with fees in force on ${channel} (fixtures/fees.json)`,
    value,
    remark,
    involves: ['$.channel'],
  };
}

export function validateCurrency({ currencies: { currencies } }: Fixtures, currency: string): BrokenRule[] {
  const currencyCodes = currencies.map(({ currencyCode }) => currencyCode);
  return currencyCodes.includes(currency)
    ? []
    : [{ path: '$.currency', expected: `a known currency: ${currencyCodes.join(', ')}`, value: currency }];
}

interface Terms {
  start: Instant;
  end: Instant;
  minimum: MinorUnits;
  maximum: MinorUnits;
  /** The fees as integers, in 1/`scale` of a minor unit; `markUp` and `gateway` are for each minor unit of the amount. */
  markUp: bigint;
  serviceProvider: bigint;
  gateway: bigint;
  scale: bigint;
}

const termsByRow = new WeakMap<FeeRow, Terms>();

/** Parsed once per row, because every payment needs them. */
function termsOf(row: FeeRow): Terms {
  const existing = termsByRow.get(row);
  if (existing) {
    return existing;
  }
  const parsed = {
    start: parseInstant(row.feesStartDate),
    end: parseInstant(row.feesEndDate),
    minimum: toMinorUnits(row.feesMinAmount),
    maximum: toMinorUnits(row.feesMaxAmount),
    ...scaleFees(row),
  };
  termsByRow.set(row, parsed);
  return parsed;
}

function scaleFees(row: FeeRow): Pick<Terms, 'markUp' | 'serviceProvider' | 'gateway' | 'scale'> {
  const markUp = new Big(row.feesMarkUp);
  const gateway = new Big(row.feesGatewayFee);
  const flat = exactMinorUnits(row.feesServiceProviderFee);
  const decimals = Math.max(...[markUp, gateway, flat].map(decimalsOf));
  const toInteger = (value: Big) => BigInt(value.times(new Big(10).pow(decimals)).toFixed(0));
  return {
    markUp: toInteger(markUp),
    serviceProvider: 100n * toInteger(flat),
    gateway: toInteger(gateway),
    scale: 100n * 10n ** BigInt(decimals),
  };
}

function decimalsOf(value: Big): number {
  return (value.toFixed().split('.')[1] ?? '').length;
}

function explainMissingFees(channel: string, rows: readonly FeeRow[], at: Instant): string {
  const activeRows = rows.filter(({ feesStatus }) => feesStatus);
  if (activeRows.length === 0) {
    return rows.length === 0
      ? `which has no fees on ${channel}`
      : `whose fees on ${channel} are switched off (feesStatus is false)`;
  }
  const [next] = activeRows
    .filter((row) => termsOf(row).start > at)
    .sort((one, other) => termsOf(one).start - termsOf(other).start);
  const last = activeRows.toSorted((one, other) => termsOf(one).end - termsOf(other).end).at(-1);
  return next
    ? `whose fees on ${channel} start on ${next.feesStartDate}`
    : `whose fees on ${channel} ended on ${last?.feesEndDate}`;
}
