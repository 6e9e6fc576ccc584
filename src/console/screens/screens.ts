import type { IconName } from '../components/icon.tsx';

interface ScreenRow {
  label: string;
  /** Its tab in the navigation, with the key that opens it after `g`. */
  tab?: { icon: IconName; key: string };
  /** The screen whose tab is marked while this one is open. */
  within?: 'payments';
  /** Whether it is one of the kinds of payments, which share a row of links. */
  isKind?: boolean;
  /** Whether its address can name a record. */
  hasRecords?: boolean;
}

/** THE TABLE of screens, by their names in addresses. What each shows is in its folder, and `console.tsx` names the component. */
export const SCREENS = {
  overview: { label: 'Overview', tab: { icon: 'overview', key: 'o' } },
  integration: { label: 'Integration', tab: { icon: 'integration', key: 'i' } },
  payments: { label: 'Payments', tab: { icon: 'payments', key: 'p' }, isKind: true, hasRecords: true },
  payouts: { label: 'Payouts', within: 'payments', isKind: true, hasRecords: true },
  links: { label: 'Links', within: 'payments', isKind: true, hasRecords: true },
  recurring: { label: 'Recurring', within: 'payments', isKind: true, hasRecords: true },
  tokens: { label: 'Tokens', within: 'payments', isKind: true, hasRecords: true },
  codes: { label: 'Codes', within: 'payments', isKind: true, hasRecords: true },
  settlements: { label: 'Settlements', within: 'payments', isKind: true, hasRecords: true },
  balances: { label: 'Balances', within: 'payments' },
  ledger: { label: 'Ledger', within: 'payments' },
  requests: { label: 'Requests', tab: { icon: 'requests', key: 'r' }, hasRecords: true },
  deliveries: { label: 'Deliveries', tab: { icon: 'deliveries', key: 'd' }, hasRecords: true },
  events: { label: 'Events', tab: { icon: 'events', key: 'e' }, hasRecords: true },
  scenarios: { label: 'Scenarios', tab: { icon: 'scenarios', key: 's' }, hasRecords: true },
  sessions: { label: 'Sessions', tab: { icon: 'sessions', key: 'n' }, hasRecords: true },
  try: { label: 'Try it', tab: { icon: 'try', key: 't' }, hasRecords: true },
  examination: { label: 'Examination', tab: { icon: 'shield', key: 'x' } },
} satisfies Record<string, ScreenRow>;

export type Screen = keyof typeof SCREENS;

/** In the order of the table. */
export const ALL_SCREENS: readonly (ScreenRow & { name: Screen })[] = Object.entries(SCREENS).map(([name, row]) => ({
  ...(row as ScreenRow),
  name: name as Screen,
}));

export const TABS = ALL_SCREENS.flatMap(({ name, label, tab }) => (tab ? [{ screen: name, label, ...tab }] : []));
