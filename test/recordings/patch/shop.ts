import type { RecordedCall, RecordedNotification } from '../../../src/base/schema/recordings.ts';
import { playInSandbox } from '../../../src/recordings/player/sandbox-play.ts';
import { MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { notificationAt } from '../exchanges.ts';
import { after, BEGIN, recordingOf, Tape } from '../player/tape.ts';

export type Exchange = RecordedCall | RecordedNotification;

/** A wallet of each channel. */
export const WALLETS = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
} as const;
export type ChannelId = keyof typeof WALLETS;
/** Attempts of each notification that the shop answers with 500. */
const FAILED = 2;

/** Pays twice on each channel and asks for each payment; refused once. */
async function actOn(sandbox: Sandbox): Promise<RecordedCall[]> {
  const shop = new Tape(sandbox.url);
  const { token = '' } = await shop.call('POST', '/auth/authenticate/merchant', { json: MERCHANT });
  const bearer = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (const number of [1, 2]) {
    for (const [channel, walletName] of Object.entries(WALLETS)) {
      const payerMobile = channel === 'mobile-money' ? { payerMobile: '263770000000' } : {};
      const payerReference = `ORDER-${channel}-${number}`;
      await shop.pay({ walletName, payerReference, ...payerMobile });
      await shop.call(
        'GET',
        '/api/getPaymentDetails',
        { json: { transactionReference: payerReference, walletName } },
        bearer,
      );
    }
  }
  await shop.call('POST', '/auth/authenticate/merchant', { json: { ...MERCHANT, merchantKey: 'wrong' } });
  for (let count = 0; count < 30; count += 1) {
    await shop.call('GET', '/init/currencies/all');
  }
  return shop.calls;
}

/** What a shop and a sandbox with some settings said to each other, notifications included. */
export async function exchangesWith(
  folders: () => string,
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<Exchange[]> {
  const [first, second] = await Promise.all([
    startSandbox({ now: Date.parse(BEGIN), seed: 'first', scenario: 'auto-approve' }),
    startSandbox({ seed: 'second', scenario: 'auto-approve', ...settings }),
  ]);
  try {
    const calls = await actOn(first);
    const attempts = [1, 2].flatMap((number) =>
      Object.keys(WALLETS).flatMap((channel) =>
        Array.from({ length: FAILED }, () =>
          notificationAt(after(1), {
            body: { json: { status: 'Paid', paymentReference: `ORDER-${channel}-${number}` } },
            answer: { status: 500, headers: [], body: null },
          }),
        ),
      ),
    );
    const recording = await recordingOf(folders(), [...calls, ...attempts]);
    const play = await playInSandbox(recording, second);
    const exchanges: Exchange[] = [];
    for await (const { replayed } of play.calls()) {
      exchanges.push(replayed);
    }
    for await (const notification of play.notifications()) {
      exchanges.push(notification);
    }
    await play.close();
    return exchanges;
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}
