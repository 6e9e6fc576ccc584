import type { RecordedCall, RecordedNotification } from '../../../src/base/schema/generated/recordings.ts';
import { playRecording } from '../../../src/recordings/player/play.ts';
import { RecordedReceiver } from '../../../src/recordings/player/recorded-receiver.ts';
import { startWith } from '../../../src/start-with.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { notificationAt } from '../exchanges.ts';
import { BEGIN, recordingOf, Tape, timeAfter } from '../player/tape.ts';

const MERCHANT = {
  merchantId: 'M-1000',
  merchantApiKey: 'sandbox-api-key-1000',
  merchantKey: 'sandbox-merchant-key-1000',
};

/** Sends the calls of a shop, recorded as if in four minutes: a payment on each kind of channel, status queries and refused calls. */
async function sendShopCalls(sandbox: Sandbox): Promise<RecordedCall[]> {
  const shop = new Tape(sandbox.url);
  const { token = '' } = await shop.call('POST', '/auth/authenticate/merchant', { json: MERCHANT });
  const bearer = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  await shop.call('GET', '/init/banks/all');
  await shop.call('GET', '/param/paymentIntervalsRequest');
  for (const [index, walletName] of ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A'].entries()) {
    const payerMobile = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000000' } : {};
    const answer = await shop.pay({ walletName, payerReference: `ORDER-${index}`, ...payerMobile });
    const query = { transactionReference: answer['paymentId'] ?? answer['paymentCode'], walletName };
    await shop.call('GET', '/api/getPaymentDetails', { json: { ...query } }, bearer);
    await shop.call('GET', '/api/getPaymentDetails', { json: { ...query } }, bearer);
  }
  await shop.call('POST', '/auth/authenticate/merchant', { json: { ...MERCHANT, merchantKey: 'wrong' } });
  await shop.call('GET', '/init/nothing');
  for (let count = 0; count < 5; count += 1) {
    await shop.call('GET', '/init/currencies/all');
  }
  return shop.calls;
}

/** The exchanges of a shop with a sandbox, as a recorder would have seen them. */
export async function exchangesOfShop(
  temporaryFolder: () => string,
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<(RecordedCall | RecordedNotification)[]> {
  const first = await startSandbox({ now: Date.parse(BEGIN), seed: 'first' });
  const calls = await sendShopCalls(first).finally(() => first.close());
  const recording = await recordingOf(temporaryFolder(), [...calls, notificationAt(timeAfter(240))]);
  const receiver = new RecordedReceiver(recording.notifications);
  const second = await startWith(
    { additions: { operations: [], wrapSender: () => receiver } },
    { seed: 'second', merchants: 'open', ...settings },
  );
  try {
    const played = await playRecording(recording, second.client);
    return [...played.calls.map(({ played }) => played), ...played.notifications];
  } finally {
    await second.close();
  }
}
