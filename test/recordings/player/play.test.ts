import type { RecordedCall } from '../../../src/base/schema/generated/recordings.ts';
import { type PlayedCall, playRecording } from '../../../src/recordings/player/play.ts';
import { RecordedReceiver } from '../../../src/recordings/player/recorded-receiver.ts';
import type { Recording } from '../../../src/recordings/recording.ts';
import { startWith } from '../../../src/start-with.ts';
import { exampleOf, MERCHANT, PNG } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { callAt, notificationAt } from '../exchanges.ts';
import { BEGIN, recordingOf, Tape, timeAfter } from './tape.ts';

const temporaryFolder = temporaryFolders();

let service: Sandbox;
let sandbox: Sandbox;
beforeEach(async () => {
  [service, sandbox] = await Promise.all([
    startSandbox({ now: Date.parse(BEGIN), seed: 'service' }),
    startSandbox({ now: Date.parse(BEGIN), seed: 'sandbox' }),
  ]);
});
afterEach(async () => {
  await Promise.all([service.close(), sandbox.close()]);
});

async function play(recording: Recording): Promise<PlayedCall[]> {
  return (await playRecording(recording, sandbox.client)).calls;
}

const statusOf = ({ answer }: RecordedCall) => answer?.status ?? null;
function jsonOf({ answer }: RecordedCall): Record<string, unknown> {
  return answer?.body && 'json' in answer.body ? (answer.body.json as Record<string, unknown>) : {};
}

test('playback sends each call with current ids and tokens, and gets the recorded status', async () => {
  const shop = new Tape(service.url);
  const { token = '' } = await shop.call('POST', '/auth/authenticate/merchant', { json: MERCHANT });
  const card = await shop.pay({ walletName: 'WALLET_SWITCH', payerReference: 'ORDER-1' });
  const code = await shop.pay({ walletName: 'WALLET_QR', payerReference: 'ORDER-2' });
  const bearer = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const queryStatus = (members: object) => shop.call('GET', '/api/getPaymentDetails', { json: { ...members } }, bearer);
  await queryStatus({ transactionReference: card['paymentId'], walletName: 'WALLET_SWITCH' });
  await queryStatus({ transactionReference: code['paymentCode'], walletName: 'WALLET_QR' });
  await shop.call(
    'GET',
    `/api/getPaymentDetails?transactionReference=${card['paymentId']}&walletName=WALLET_SWITCH`,
    null,
    bearer,
  );
  const played = await play(await recordingOf(temporaryFolder(), shop.calls));
  expect(shop.calls.map(statusOf)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(played.map(({ played }) => statusOf(played))).toEqual([200, 200, 200, 200, 200, 200]);
  expect(played.slice(3).map(({ played }) => jsonOf(played)['paymentReference'])).toEqual([
    'ORDER-1',
    'ORDER-2',
    'ORDER-1',
  ]);
  expect(played[3]?.played.body).not.toEqual(played[3]?.recorded.exchange.body);
  expect(played.map(({ played }) => played.at)).toEqual(shop.calls.map(({ at }) => at));
});

test('playback creates a link with its picture, and changes it by its current id', async () => {
  const shop = new Tape(service.url);
  const { token = '' } = await shop.call('POST', '/auth/authenticate/merchant', { json: MERCHANT });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=edge' };
  const partsOf = (members: Record<string, unknown>) => [
    ...Object.entries(exampleOf('requests/payment-link', members))
      .filter(([name]) => name !== 'paymentLinkImage')
      .map(([name, value]) => ({ name, value: String(value) })),
    {
      name: 'paymentLinkImage',
      fileName: 'one.png',
      contentType: 'image/png',
      size: PNG.length,
      head: PNG.subarray(0, 32).toString('base64'),
    },
  ];
  // The sandbox has a link already, so the recorded link gets another id there.
  const other = new Tape(sandbox.url);
  const otherAnswer = await other.call('POST', '/auth/authenticate/merchant', { json: MERCHANT });
  const create = { form: partsOf({ id: '' }) };
  await other.call('POST', '/api/merchant/fastCheckOut', create, {
    ...headers,
    Authorization: `Bearer ${otherAnswer['token']}`,
  });
  const { paymentLink } = await shop.call('POST', '/api/merchant/fastCheckOut', create, headers);
  const { id, paymentLinkUrl } = paymentLink as unknown as { id: number; paymentLinkUrl: string };
  await shop.call(
    'POST',
    '/api/merchant/fastCheckOut',
    { form: partsOf({ id: String(id), paymentLinkName: 'New' }) },
    headers,
  );
  await shop.call('GET', new URL(paymentLinkUrl).pathname + new URL(paymentLinkUrl).search, null, {});
  const played = await play(await recordingOf(temporaryFolder(), shop.calls));
  expect(shop.calls.map(statusOf)).toEqual([200, 200, 200, 200]);
  expect(played.map(({ played }) => statusOf(played))).toEqual([200, 200, 200, 200]);
  expect(played[2]?.played.body).toMatchObject({ form: expect.arrayContaining([{ name: 'id', value: '2' }]) });
  expect(played[3]?.played.target).not.toBe(shop.calls[3]?.target);
});

test('playback moves the clock from call to call, and answers notifications as the recorded program did', async () => {
  const shop = new Tape(service.url);
  await shop.pay({ walletName: 'WALLET_SWITCH', payerReference: 'ORDER-1' });
  const attempt = (seconds: number, answer: number | null) =>
    notificationAt(timeAfter(seconds), {
      answer: answer === null ? null : { status: answer, headers: [], body: null },
    });
  const recording = await recordingOf(temporaryFolder(), [
    ...shop.calls,
    ...[attempt(3, 503), attempt(60, null), attempt(120, 200)],
    callAt(timeAfter(86_400)),
  ]);
  const receiver = new RecordedReceiver(recording.notifications);
  const notifier = await startWith(
    { additions: { operations: [], wrapSender: () => receiver } },
    { scenario: 'auto-approve', merchants: 'open' },
  );
  const { calls, notifications } = await playRecording(recording, notifier.client).finally(() => notifier.close());
  expect(calls.map(({ played }) => played.at)).toEqual([BEGIN, timeAfter(86_400)]);
  expect(notifications.map(({ answer }) => answer?.status ?? null)).toEqual([503, null, 200]);
  expect(notifications[0]).toMatchObject({
    kind: 'notification',
    at: timeAfter(3),
    method: 'POST',
    headers: expect.arrayContaining([{ name: 'webhook-signature', value: expect.stringMatching(/^v1,/) }]),
    body: { json: { status: 'Paid', paymentReference: 'ORDER-1' } },
    error: null,
  });
  expect(notifications[1]?.error).toBe('the endpoint closed the connection');
});

test('playback does not wait for an answer that the recording does not contain', async () => {
  const recording = await recordingOf(temporaryFolder(), [
    callAt(BEGIN, { answer: null, error: 'closed' }),
    callAt(timeAfter(10), { id: 'call-2', target: '/init/currencies/all' }),
  ]);
  await sandbox.client.useRules([{ when: { operation: 'listBanks' }, fault: { at: 'before', kind: 'timeout' } }]);
  const played = await play(recording);
  expect(played.map(({ played }) => [played.target, statusOf(played), played.error])).toEqual([
    ['/init/banks/all', null, 'no answer within 1 second'],
    ['/init/currencies/all', 200, null],
  ]);
});

test('playback advances the clock if an answer waits for it', async () => {
  const recording = await recordingOf(temporaryFolder(), [
    callAt(BEGIN, { ms: 2500 }),
    callAt(timeAfter(10), { id: 'call-2', target: '/init/currencies/all' }),
  ]);
  await sandbox.client.useRules([
    { when: { operation: 'listBanks' }, fault: { at: 'before', kind: 'latency', latency: 'PT5S' } },
  ]);
  const played = await play(recording);
  expect(played.map(({ played }) => statusOf(played))).toEqual([200, 200]);
});
