const NAMES: Readonly<Record<string, string>> = {
  'qr-wallet': 'QR wallet',
  'mobile-money': 'Mobile money',
  'card-switch': 'Domestic card switch',
  'card-network-a': 'Card network A',
  'card-network-b': 'Card network B',
};

/** A channel as people call it; one of a fixture of their own by its id. */
export function channelName(id: string): string {
  return NAMES[id] ?? id;
}
