import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../../src/base/schema/validation.ts';
import { exchangesWith } from '../recordings/patch/shop.ts';
import { recordingOf } from '../recordings/player/tape.ts';
import { runCommand } from '../run-command.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
const run = (...words: string[]) => runCommand(['drift', ...words]);

test('the proposed fixtures are shown with where they come from, and written when asked for', async () => {
  const folder = temporaryFolder();
  await recordingOf(folder, await exchangesWith(temporaryFolder, { behaviour: 'notified-once-unsigned' }));
  const own = temporaryFolder();
  const [fixtures, file, page] = ['mine', 'report.json', 'report.html'].map((name) => join(own, name)) as [
    string,
    string,
    string,
  ];
  const settings = ['--scenario', 'auto-approve'];
  const shown = await run(folder, ...settings, '--json', file, '--html', page);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('Adopt it in your fixtures: behaviours/as-recorded.json.');
  const [proposed = ''] = shown.stdout.split('Proposed fixtures:\n').slice(1);
  expect(proposed.split('\n')[0]).toMatch(
    /^ {2}behaviours\/as-recorded\.json \$\.notifications\.proof: the proof of notifications is none \(\S+\.jsonl:\d+, 2026-03-01\)$/,
  );
  expect(proposed).toContain('  +     "proof": "none",');
  expect(proposed).toMatch(/Tried: 0 differences left with them\.\nWrite them with --apply --fixtures <folder>\.\n$/);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(await validate('recordings/drift-report', report)).toEqual([]);
  expect(report.proposal.writtenTo).toBeNull();
  expect(readFileSync(page, 'utf8')).toContain('Tried: 0 differences left with them.');
  expect(existsSync(fixtures)).toBe(false);

  const written = await run(folder, ...settings, '--fixtures', fixtures, '--apply');
  expect(written.stdout).toContain(
    `Written to ${fixtures}; start the sandbox with --fixtures ${fixtures} --scenario as-`,
  );
  expect(await run(folder, '--fixtures', fixtures)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The sandbox used the scenario as-recorded from '),
  });
}, 60_000);

test('--apply says before it compares that a folder cannot be written to', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(await run('recording', '--apply', '--fixtures', join(file, 'mine'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file} is no folder`),
  });
});

test('--apply needs a folder and a sandbox', async () => {
  for (const words of [['--apply'], ['other', '--apply', '--fixtures', 'mine']]) {
    expect(await run('recording', ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--apply needs --fixtures <folder>, and a sandbox to compare with'),
    });
  }
});
