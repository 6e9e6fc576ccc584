import type { RecordedCall } from '../../../src/base/schema/recordings.ts';
import { pairCalls } from '../../../src/recordings/drift/pair-calls.ts';
import { Recording } from '../../../src/recordings/recording.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { recordingOf } from '../player/tape.ts';
import { after, answered, statusQuery } from './compared.ts';

const temporaryFolder = temporaryFolders();

/** A payment on a channel and, a second later, a query of its status by what the answer called it. */
function paid(walletName: string, payerReference: string, paymentId: string, at: number): RecordedCall[] {
  const initiation = answered(
    { paymentInitiationResponse: { paymentId } },
    {
      at: after(at),
      method: 'POST',
      target: '/init/authenticate/merchant/wallet',
      body: { json: { walletName, payerReference, merchantId: 'M-1' } },
    },
  );
  return [initiation, statusQuery(paymentId, at + 1, 'Paid')];
}

/** What is paired: what each call names, or a dash where there is none. */
async function pairsOf(calls: readonly RecordedCall[], others: readonly RecordedCall[]): Promise<string[]> {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  await recordingOf(folder, calls);
  await recordingOf(other, others);
  const pairs: string[] = [];
  for await (const pair of pairCalls(await Recording.open(folder), await Recording.open(other))) {
    pairs.push([pair.recorded?.exchange, pair.other].map(nameOf).join(' = '));
  }
  return pairs;
}

function nameOf(call: RecordedCall | undefined): string {
  const text = JSON.stringify([call?.target, call?.body]);
  return /ORDER-\w+|PAY-?\w+/.exec(text)?.[0] ?? '–';
}

test('what a payment is called in each recording stands for each other', async () => {
  const calls = [...paid('WALLET_QR', 'ORDER-1', 'PAYA111', 0), ...paid('WALLET_QR', 'ORDER-2', 'PAYA222', 2)];
  // The queries come in another order, and between them those of a payment more.
  const [one, ask, two, askToo] = [
    ...paid('WALLET_QR', 'ORDER-8', 'PAYB888', 0),
    ...paid('WALLET_QR', 'ORDER-9', 'PAYB999', 1),
  ];
  const more = paid('WALLET_QR', 'ORDER-7', 'PAYB777', 2);
  const others = [one, two, ...more, askToo, ask].flatMap((call, index) =>
    call ? [{ ...call, at: after(index) }] : [],
  );
  expect(await pairsOf(calls, others)).toEqual([
    'ORDER-1 = ORDER-8',
    'PAYA111 = PAYB888',
    'ORDER-2 = ORDER-9',
    'PAYA222 = PAYB999',
    '– = ORDER-7',
    '– = PAYB777',
  ]);
});

test('payments on other channels are no pair, though they have the same reference', async () => {
  const calls = [...paid('WALLET_QR', 'ORDER-1', 'PAYA111', 0), ...paid('WALLET_CARD_A', 'ORDER-2', 'PAYA222', 2)];
  const others = [...paid('WALLET_CARD_A', 'ORDER-1', 'PAYB111', 0), ...paid('WALLET_QR', 'ORDER-2', 'PAYB222', 2)];
  expect(await pairsOf(calls, others)).toEqual([
    'ORDER-1 = ORDER-2',
    'PAYA111 = PAYB222',
    'ORDER-2 = ORDER-1',
    'PAYA222 = PAYB111',
  ]);
});

test('a query of a payment that the other recording does not have is no pair of another payment’s', async () => {
  const calls = [...paid('WALLET_QR', 'ORDER-1', 'PAYA111', 0), ...paid('WALLET_QR', 'ORDER-2', 'PAYA222', 2)];
  const [initiation, ask] = paid('WALLET_QR', 'ORDER-1', 'PAYA111', 0);
  const others = [initiation, ask, ask && { ...ask, at: after(3) }].flatMap((call) => call ?? []);
  expect(await pairsOf(calls, others)).toEqual([
    'ORDER-1 = ORDER-1',
    'PAYA111 = PAYA111',
    'ORDER-2 = –',
    'PAYA222 = –',
    '– = PAYA111',
  ]);
});
