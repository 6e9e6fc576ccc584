import { pathOf } from './address.ts';
import type { Screen } from './screens/screens.ts';

const SCREEN_OF: Readonly<Record<string, Screen>> = {
  payments: 'payments',
  payouts: 'payouts',
  links: 'links',
  recurringPayments: 'recurring',
  paymentTokens: 'tokens',
  shopCodes: 'codes',
  settlements: 'settlements',
  deliveries: 'traffic',
  scenarios: 'scenarios',
};

/** The address of a record's screen; undefined if it has none. */
export function pathOfRecord(collection: string | null, id: string | null): string | undefined {
  const screen = collection === null ? undefined : SCREEN_OF[collection];
  return screen === undefined || id === null ? undefined : pathOf(screen, id);
}
