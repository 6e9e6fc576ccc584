import { membersOf } from '../../../base/members.ts';
import { type MinorUnits, toDecimalText } from '../../../base/money.ts';
import { matchesSchema } from '../../../base/schema/user-schema.ts';

/** The facts of a call that the conditions of rules refer to. */
export interface MatchContext {
  operation: string;
  environment: 'production' | 'sandbox';
  /** The channel's id; undefined for an operation without one. */
  channel: string | undefined;
  body: unknown;
  /** The amount of a payment without a merchant's call; otherwise it is in the body. */
  amount?: MinorUnits;
}

/** The conditions of rules, besides amount and body. */
export const CONDITIONS = ['operation', 'channel', 'environment'] as const;

export function meets<Value extends string | number>(
  condition: Value | readonly Value[] | undefined,
  actual: Value | undefined,
): boolean {
  return condition === undefined || (actual !== undefined && [condition].flat().includes(actual));
}

export async function fitsBody(schema: object, body: unknown): Promise<boolean> {
  return body !== undefined && (await matchesSchema(schema, body));
}

interface AmountRange {
  minimum?: number;
  maximum?: number;
}

/** Both ends are inclusive. A call without a numeric amount is in no range. */
export function isInRange(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: AmountRange,
  amount: number,
): boolean {
  return amount >= minimum && amount <= maximum;
}

export function amountOf({ amount, body }: MatchContext): number {
  const value = amount === undefined ? membersOf(body)['amount'] : toDecimalText(amount);
  return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
}

/** A range in words, such as `from 10 up to 20`. */
export function rangeInWords({ minimum, maximum }: AmountRange): string {
  return [minimum === undefined ? [] : `from ${minimum}`, maximum === undefined ? [] : `up to ${maximum}`]
    .flat()
    .join(' ');
}
