import { drift } from '../../../src/recordings/drift.ts';
import { NOT_REACHABLE, RECORDING_ENDED } from '../../../src/recordings/recording.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { callAt } from '../exchanges.ts';
import { recordingOf, timeAfter } from '../player/tape.ts';
import { compareSides, initiation, linesOf, notification, statusQuery } from './compared.ts';

const temporaryFolder = temporaryFolders();
const BAD_GATEWAY = { status: 502, headers: [], body: null };

test.each([
  ['were active when the recording ended', { answer: null, error: RECORDING_ENDED }],
  ['the recorder could not pass on', { answer: BAD_GATEWAY, error: NOT_REACHABLE }],
])('calls that %s are not compared, and neither are their effects', (reason, end) => {
  const calls = [initiation('ORDER-1', 0, { paymentId: 'PAY-1' }), statusQuery('PAY-1', 1, 'Processing')];
  const cut = [initiation('ORDER-1', 0, {}, end), statusQuery('PAY-1', 1, 'Processing')];
  const notifications = [notification('ORDER-1', 3)];
  // Another payment with a different status, which must still be reported.
  const other = initiation('ORDER-2', 0, {});
  const refused = initiation('ORDER-2', 0, {}, { answer: { ...BAD_GATEWAY, status: 400 } });
  const compared = compareSides({ calls: [...cut, other] }, { calls: [...calls, refused], notifications });
  expect(linesOf(compared)).toEqual(['status status: [200] | [400]']);
  expect(compared.notCompared).toMatchObject([
    { reason: `calls that ${reason}`, count: 1 },
    { reason: 'calls about a payment that may exist on only one side', count: 1 },
    { reason: 'notifications of a payment that may exist on only one side', count: 1 },
  ]);
});

test('a recording in which no answer is known has nothing to compare', async () => {
  const folder = temporaryFolder();
  await recordingOf(folder, [
    callAt(timeAfter(0), { answer: null, error: RECORDING_ENDED }),
    callAt(timeAfter(1), { answer: BAD_GATEWAY, error: NOT_REACHABLE }),
  ]);
  expect(await drift({ folder })).toMatchObject({ verdict: 'nothing-compared', differences: [] });
});
