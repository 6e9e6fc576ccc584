import type { Payout } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';
import type { CreditState } from '../payments/transitions.ts';

export type Credit = Payout['credits'][number];
export type PlannedOutcome = Credit['plannedOutcomes'][number];
export type CreditOutcome = PlannedOutcome['outcome'];

export function stateOfPayout(states: readonly CreditState[]): Payout['state'] {
  if (states.includes('Processing')) {
    return 'Processing';
  }
  if (states.every((state) => state === 'Paid')) {
    return 'Paid';
  }
  return states.includes('Paid') ? 'PartlyPaid' : 'Failed';
}

/** The time of the first planned outcome of the credits; null if none is planned. */
export function dueOfCredits(credits: readonly Credit[]): Instant | null {
  const times = credits.flatMap(({ plannedOutcomes: [next] }) => next?.at ?? []);
  return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : null;
}

export function dueCredits({ credits, dueAt }: Payout): { number: number; planned: PlannedOutcome }[] {
  return credits.flatMap(({ plannedOutcomes: [planned] }, index) =>
    planned && dueAt !== null && planned.at <= dueAt ? [{ number: index + 1, planned }] : [],
  );
}

/** Number and total amount (in minor units) of the credits in each state. */
export function creditTotals(credits: readonly Credit[]): Record<CreditState, { credits: number; amount: number }> {
  const totalIn = (state: CreditState) => {
    const creditsInState = credits.filter((credit) => credit.state === state);
    return { credits: creditsInState.length, amount: creditsInState.reduce((sum, { amount }) => sum + amount, 0) };
  };
  return {
    Processing: totalIn('Processing'),
    Paid: totalIn('Paid'),
    Failed: totalIn('Failed'),
    Returned: totalIn('Returned'),
  };
}
