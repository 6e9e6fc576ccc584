import { drift } from '../../../src/recordings/drift/drift.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { lineOf } from '../drift/compared.ts';
import { recordingOf } from '../player/tape.ts';
import { exchangesWith } from './shop.ts';

const temporaryFolder = temporaryFolders();

test.each([
  [{ scenario: 'declined' }],
  [{ scenario: 'payer-cancels' }],
  [{ scenario: 'empty-strings' }],
  [{ scenario: 'short-answers' }],
  [{ scenario: 'qr-alternate' }],
  [{ scenario: 'outage' }],
  [{ behaviour: 'notified-three-times' }],
  [{ behaviour: 'notified-once-unsigned' }],
  [{ behaviour: 'status-lags' }],
  [{ behaviour: 'notification-lags' }],
])('what a sandbox with %o does is adopted', async (settings) => {
  const folder = temporaryFolder();
  await recordingOf(folder, await exchangesWith(temporaryFolder, settings));
  const fixtures = temporaryFolder();
  const report = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
  const again = await drift({ folder, fixtures });
  console.log(JSON.stringify([settings,report.differences.map((each) => `${lineOf(each)} ${each.channel} ${each.count}/${each.compared} -> ${each.fixture}`), report.proposal?.entries.map(({says}) => says), report.proposal?.notes,
  again.differences.map((each) => `${lineOf(each)} ${each.channel} ${each.count}/${each.compared} -> ${each.fixture}`), again.proposal?.entries], null, 1));
}, 60_000);
