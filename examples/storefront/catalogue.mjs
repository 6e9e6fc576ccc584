// The goods of the shop, and the channels by which they can be paid.

const DAY_MS = 86_400_000;

export const CURRENCY = 'USD';

/** The buyer chooses the amount of a gift card; everything else has a price. */
export const ITEMS = [
  { id: 'beans', name: 'House blend', about: 'Half a kilo of beans, roasted this week.', amount: '14.50' },
  { id: 'mug', name: 'Enamel mug', about: 'Survives the camp fire and the dishwasher.', amount: '9.80' },
  { id: 'gift-card', name: 'Gift card', about: 'You say how much. They choose.', amount: '25.00', isOpen: true },
  {
    id: 'coffee-club',
    name: 'Coffee club',
    about: 'A fresh bag every month, until you say stop.',
    amount: '29.00',
    interval: 'Monthly',
  },
];

export const CHANNELS = [
  { id: 'qr-wallet', walletName: 'WALLET_QR', name: 'Wallet', about: 'Scan a QR code' },
  { id: 'mobile-money', walletName: 'WALLET_MOBILE', name: 'Mobile money', about: 'Enter your PIN on your phone' },
  { id: 'card-switch', walletName: 'WALLET_SWITCH', name: 'Domestic card', about: 'Through the card switch' },
  { id: 'card-network-a', walletName: 'WALLET_CARD_A', name: 'Card, network A', about: 'Credit or debit' },
  { id: 'card-network-b', walletName: 'WALLET_CARD_B', name: 'Card, network B', about: 'Credit or debit' },
];

/** Not a channel: the person who opens the link chooses one there. */
export const LINK = { id: 'link', name: 'Payment link', about: 'Pay later, or let somebody else pay' };

/** The channel of subscriptions, to which their tokens belong. */
export const CLUB_CHANNEL = 'card-network-a';

export const itemOf = (id) => ITEMS.find((each) => each.id === id);
export const channelOf = (id) => CHANNELS.find((each) => each.id === id);

/** The date N days from today as yyyy-MM-dd. */
export const dateIn = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
