import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriftReport, RecordedCall } from '../../../src/base/schema/recordings.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { runCommand } from '../../run-command.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { callAt } from '../exchanges.ts';
import { after, recordingOf } from '../player/tape.ts';

const temporaryFolder = temporaryFolders();

const run = (...words: string[]) => runCommand(['drift', ...words]);

async function recorded(...answers: object[]): Promise<string> {
  const folder = temporaryFolder();
  const calls = answers.map((json, index): RecordedCall => {
    const headers = [{ name: 'Content-Type', value: 'text/plain' }];
    return callAt(after(index), { answer: { status: 200, headers, body: { json: { ...json } } } });
  });
  await recordingOf(folder, calls);
  return folder;
}

test('says first how many differences there are, then each with both sides and its source', async () => {
  const [one, other] = [
    await recorded({ status: 'Approved', extra: 1 }),
    await recorded({ status: 'Paid', fee: null }),
  ];
  const { code, stdout } = await run(one, other);
  expect(code).toBe(1);
  const [file = ''] = /\S+\.jsonl/.exec(stdout) ?? [];
  expect(stdout.split('\n').slice(0, 17)).toEqual([
    '3 differences between the recording and the other recording.',
    'Compared: 1 exchange, 4 members, 0 notifications, 0 payments.',
    '',
    'listBanks, 2xx',
    '  D1  Value $.status',
    '      recorded         "Approved"',
    '      other recording  "Paid"',
    `      Seen in 1 of 1, first in ${file}:2 (2026-03-01).`,
    '  D2  Member only in the recording $.extra',
    '      recorded         number: 1',
    '      other recording  –',
    `      Seen in 1 of 1, first in ${file}:2 (2026-03-01).`,
    '  D3  Member only in the other recording $.fee',
    '      recorded         –',
    '      other recording  null',
    `      Seen in 1 of 1, first in ${file}:2 (2026-03-01).`,
    '',
  ]);
});

test('ends with 0 where nothing differs, and with 2 where nothing was compared', async () => {
  const [folder, empty] = [await recorded({ status: 'Paid' }), await recorded()];
  expect(await run(folder, folder)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No differences: the other recording behaves as the service did\.\n/),
  });
  expect(await run(folder, empty)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^Nothing was compared\.\n[\s\S]*1 {2}calls that the other recording does not have/),
  });
});

test('writes the report as JSON, HTML and JUnit XML', async () => {
  const [one, other] = [await recorded({ status: '<b>' }), await recorded({ status: 'Paid' })];
  const folder = temporaryFolder();
  const [json, html, junit] = ['json', 'html', 'junit'].map((kind) => join(folder, `drift.${kind}`));
  const { code } = await run(one, other, '--json', `${json}`, '--html', `${html}`, '--junit', `${junit}`);
  expect(code).toBe(1);
  const report = JSON.parse(readFileSync(`${json}`, 'utf8')) as DriftReport;
  expect(await validate('recordings/drift-report', report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'different', differences: [{ id: 'D1', kind: 'word', place: '$.status' }] });
  expect(readFileSync(`${html}`, 'utf8')).toContain('&lt;b>');
  expect(readFileSync(`${junit}`, 'utf8')).toContain(
    '<failure message="D1: Value $.status">recorded: &quot;&lt;b&gt;&quot;',
  );
});

test('prints the noise rules in force, and refuses a file that names another one', async () => {
  const folder = await recorded({ status: 'Paid' });
  const file = join(folder, 'mine.json');
  const own = { name: 'mine', why: 'It is ours.', ignores: 'value', members: ['status'] };
  writeFileSync(file, JSON.stringify({ off: ['tokens'], rules: [own] }));
  const { stdout } = await run(folder, '--noise', '--noise-file', file);
  expect(stdout).toMatch(/^mine\n {2}It is ours\.\n {2}Ignores other values of members status\.\n/);
  expect(stdout).not.toMatch(/^tokens$/m);
  writeFileSync(file, JSON.stringify({ off: ['token'] }));
  expect(await run(folder, folder, '--noise-file', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no noise rule token, did you mean tokens?'),
  });
});

test('a folder without a recording, and options that do not go together, are a wrong use', async () => {
  const folder = await recorded();
  expect(await run(temporaryFolder())).toMatchObject({ code: 2, stderr: expect.stringContaining('has no recording') });
  expect(await run(folder, folder, '--scenario', 'declined')).toMatchObject({ code: 2 });
});

describe('the validation of the sandbox that a recording is compared with', () => {
  const call = (): RecordedCall =>
    callAt(after(0), {
      method: 'POST',
      target: '/param/merchant/feesCalculator',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      body: { json: { paymentMethod: 'wallet_Qr', paymentAmount: 10, paymentCurrency: 1 } },
      answer: { status: 200, headers: [{ name: 'Content-Type', value: 'text/plain' }], body: { json: {} } },
    });
  const statusesIn = async (...words: string[]) => {
    const folder = temporaryFolder();
    await recordingOf(folder, [call()]);
    const { stdout } = await run(folder, ...words);
    return stdout.includes('400') ? 'refused' : 'accepted';
  };
  afterEach(() => {
    delete process.env['SANDBOX_VALIDATION'];
  });

  it('is strict, or what its flag or variable says', async () => {
    expect(await statusesIn()).toBe('refused');
    expect(await statusesIn('--validation', 'lenient')).toBe('accepted');
    process.env['SANDBOX_VALIDATION'] = 'lenient';
    expect(await statusesIn()).toBe('accepted');
    expect(await statusesIn('--validation', 'strict')).toBe('refused');
  });

  it('is one that exists, and not for two recordings', async () => {
    const folder = await recorded({ status: 'Paid' });
    const wrong = { code: 2, stderr: expect.stringContaining('--validation must be one of strict, lenient') };
    expect(await run(folder, '--validation', 'loose')).toMatchObject(wrong);
    const needless = { code: 2, stderr: expect.stringContaining('are for a sandbox, not for another recording') };
    expect(await run(folder, folder, '--validation', 'lenient')).toMatchObject(needless);
  });
});
