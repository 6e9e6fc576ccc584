import { join } from 'node:path';
import { drift } from '../../../src/recordings/drift/drift.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { lineOf } from '../drift/compared.ts';
import { PLANTED, type Planted } from './planted.ts';
import { recordStory } from './record-story.ts';
const temporaryFolder = temporaryFolders();
test('all', async () => {
  for (const name of [undefined, ...(Object.keys(PLANTED) as Planted[])]) {
    const folder = temporaryFolder();
    await recordStory(folder, new Set(name ? [name] : []));
    const fixtures = join(temporaryFolder(), 'mine');
    const before = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    const after = await drift({ folder, ...(before.proposal?.writtenTo ? { fixtures } : { scenario: 'auto-approve' }) });
    process.stderr.write(`${JSON.stringify([name, before.differences.map((each) => `${lineOf(each)} ${each.channel} -> ${each.fixture}`.replace(/"[^"]{60,}"/g, '"long"').slice(0, 300)), before.proposal?.notes, after.differences.map((each) => `${lineOf(each)} ${each.channel}`.replace(/"[^"]{60,}"/g, '"long"').slice(0, 300)), before.proposal?.entries.map(({ says }) => says)], null, 1)}\n`);
  }
}, 500_000);
