const NAMES: Readonly<Record<string, string>> = {
  'qr-wallet': 'QR wallet',
  'mobile-money': 'Mobile money',
  'card-switch': 'Domestic card switch',
  'card-network-a': 'Card network A',
  'card-network-b': 'Card network B',
};

/** The display name of a channel; for a channel of the user's fixtures, its id. */
export function channelName(id: string): string {
  return NAMES[id] ?? id;
}

const SHIPPED = Object.keys(NAMES);

/** Sorts channels: the shipped ones first, then others by their ids. */
export function channelsInOrder(ids: readonly string[]): string[] {
  const others = ids.filter((id) => !SHIPPED.includes(id)).sort();
  return [...SHIPPED.filter((id) => ids.includes(id)), ...others];
}

/** The class of a channel's colour; all channels of the user's fixtures share one. */
export function channelClass(id: string): string {
  return `channel-${SHIPPED.includes(id) ? SHIPPED.indexOf(id) + 1 : 'other'}`;
}
