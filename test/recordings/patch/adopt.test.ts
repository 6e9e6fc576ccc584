import { drift } from '../../../src/recordings/drift/drift.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { lineOf } from '../drift/compared.ts';
import { recordingOf } from '../player/tape.ts';
import { exchangesWith } from './shop.ts';

const temporaryFolder = temporaryFolders();

test.each([
  [{ behaviour: 'notified-by-put-with-hash' }],
])('what a sandbox with %o does is adopted', async (settings) => {
  const folder = temporaryFolder();
  await recordingOf(folder, await exchangesWith(temporaryFolder, settings));
  const fixtures = temporaryFolder();
  const report = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
  console.log(report.differences.map((each) => `${lineOf(each)} -> ${each.fixture}`), JSON.stringify(report.proposal, null, 1));
  const again = await drift({ folder, fixtures });
  console.log(again.differences.map((each) => `${lineOf(each)} -> ${each.fixture}`), JSON.stringify(again.proposal, null, 1), again.notices);
});
