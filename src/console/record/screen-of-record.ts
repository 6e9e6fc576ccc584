import type { Screen } from '../screens/table.ts';

const SCREENS: Readonly<Record<string, Screen>> = { payment: 'payments', payout: 'payouts', settlement: 'settlements' };

/** Where a record that moves money is shown, by its id; undefined for what is none. */
export function screenOfRecord(id: string): Screen | undefined {
  return SCREENS[/^([a-z]+)-\d+$/.exec(id)?.[1] ?? ''];
}
