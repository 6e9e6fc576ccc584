import type { IconName } from '../components/icon.tsx';

interface ScreenRow {
  label: string;
  /** Its tab in the navigation. `label` is the name of its group; default: the label of the screen. */
  tab?: { icon: IconName; label?: string };
  /** The screen whose tab is marked while this one is open. The screens of a tab are a group, and share a row of links. */
  within?: 'payments' | 'traffic' | 'settlements' | 'integration';
  /** The key that opens it after `g`. */
  key?: string;
  /** Whether its address can name a record or another item, such as a session. */
  hasRecords?: boolean;
}

/** THE TABLE of screens, by their names in addresses. `console.tsx` has the component of each. */
export const SCREENS = {
  overview: { label: 'Overview', tab: { icon: 'overview' }, key: 'o' },
  payments: { label: 'Payments', tab: { icon: 'payments' }, key: 'p', hasRecords: true },
  payouts: { label: 'Payouts', within: 'payments', hasRecords: true },
  links: { label: 'Links', within: 'payments', hasRecords: true },
  recurring: { label: 'Recurring', within: 'payments', hasRecords: true },
  tokens: { label: 'Tokens', within: 'payments', hasRecords: true },
  codes: { label: 'Codes', within: 'payments', hasRecords: true },
  traffic: { label: 'Traffic', tab: { icon: 'traffic' }, key: 'r', hasRecords: true },
  endpoints: { label: 'Endpoints', within: 'traffic' },
  try: { label: 'Try it', within: 'traffic', key: 't', hasRecords: true },
  settlements: { label: 'Settlements', tab: { icon: 'ledger', label: 'Money' }, key: 'm', hasRecords: true },
  balances: { label: 'Balances', within: 'settlements' },
  ledger: { label: 'Ledger', within: 'settlements' },
  integration: { label: 'Findings and coverage', tab: { icon: 'integration', label: 'My integration' }, key: 'i' },
  examination: { label: 'Examination', within: 'integration', key: 'x' },
  scenarios: { label: 'Scenarios', tab: { icon: 'scenarios' }, key: 's', hasRecords: true },
  sessions: { label: 'Sessions', tab: { icon: 'sessions' }, key: 'n', hasRecords: true },
} satisfies Record<string, ScreenRow>;

export type Screen = keyof typeof SCREENS;

/** Screens of earlier versions, whose addresses redirect to the traffic with this filter. */
export const FORMER_SCREENS = { requests: 'kind:request', deliveries: 'kind:delivery', events: 'kind:event' } as const;

/** In the order of the table. */
export const ALL_SCREENS: readonly (ScreenRow & { name: Screen })[] = Object.entries(SCREENS).map(([name, row]) => ({
  ...(row as ScreenRow),
  name: name as Screen,
}));

export const TABS = ALL_SCREENS.flatMap(({ name, label, tab }) => (tab ? [{ screen: name, label, ...tab }] : []));

/** The screen whose tab is marked while this one is open. */
export function tabScreenOf(screen: string): string {
  return ALL_SCREENS.find(({ name }) => name === screen)?.within ?? screen;
}

/** The first screens of groups, by the name of the group in addresses, such as `money`, unless a screen has that name. */
export const GROUP_SCREENS: ReadonlyMap<string, Screen> = new Map(
  TABS.map(({ label, screen }) => [label.toLowerCase().replaceAll(' ', '-'), screen] as const).filter(
    ([name]) => !(name in SCREENS),
  ),
);
