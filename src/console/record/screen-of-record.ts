import type { Screen } from '../screens/screens.ts';

const SCREENS: Readonly<Record<string, Screen>> = { payment: 'payments', payout: 'payouts', settlement: 'settlements' };

/** The screen of a payment, payout or settlement, by its id; undefined for other records. */
export function screenOfRecord(id: string): Screen | undefined {
  return SCREENS[/^([a-z]+)-\d+$/.exec(id)?.[1] ?? ''];
}
