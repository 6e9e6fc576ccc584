import { membersOf } from '../../../base/members.ts';
import { type MinorUnits, toDecimalText } from '../../../base/money.ts';
import { matchesSchema } from '../../../base/schema/given-schema.ts';

/** What a scenario looks at to find its rule. */
export interface MatchContext {
  operation: string;
  environment: 'production' | 'sandbox';
  /** The channel's id; undefined for an operation without one. */
  channel: string | undefined;
  body: unknown;
  /** Of a payment that is made without a merchant's call; otherwise the body has it. */
  amount?: MinorUnits;
}

/** What a rule may ask of a call, besides its amount and its body. */
export const CONDITIONS = ['operation', 'channel', 'environment'] as const;

export function meets<Value extends string | number>(
  wanted: Value | readonly Value[] | undefined,
  actual: Value | undefined,
): boolean {
  return wanted === undefined || (actual !== undefined && [wanted].flat().includes(actual));
}

export async function fitsBody(schema: object, body: unknown): Promise<boolean> {
  return body !== undefined && (await matchesSchema(schema, body));
}

interface AmountRange {
  minimum?: number;
  maximum?: number;
}

/** Both ends belong to the range. A call without an amount, or with one that is no number, is in no range. */
export function isInRange(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: AmountRange,
  amount: number,
): boolean {
  return amount >= minimum && amount <= maximum;
}

/** The amount of a payment as a number of its currency; not a number if the call has none. */
export function amountOf({ amount, body }: MatchContext): number {
  const given = amount === undefined ? membersOf(body)['amount'] : toDecimalText(amount);
  return typeof given === 'string' && given !== '' ? Number(given) : Number.NaN;
}

/** A range in words, such as from 10 to 20. */
export function rangeInWords({ minimum, maximum }: AmountRange): string {
  return [minimum === undefined ? [] : `from ${minimum}`, maximum === undefined ? [] : `up to ${maximum}`]
    .flat()
    .join(' ');
}
