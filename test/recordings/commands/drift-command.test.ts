import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriftReport, RecordedBody, RecordedCall } from '../../../src/base/schema/generated/recordings.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { runCommand } from '../../run-command.ts';
import { startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { callAt } from '../exchanges.ts';
import { BEGIN, recordingOf, Tape, timeAfter } from '../player/tape.ts';

type RecordedJson = Extract<RecordedBody, { json: unknown }>['json'];

const temporaryFolder = temporaryFolders();

const run = (...args: string[]) => runCommand(['drift', ...args]);

/** Records a list of currencies like the sandbox's, with changes to the first one; with null, records no calls. */
async function record(changes: object | null = {}): Promise<string> {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ now: Date.parse(BEGIN) });
  const tape = new Tape(sandbox.url);
  const [first, ...others] = Object.values(await tape.call('GET', '/init/currencies/all'));
  await sandbox.close();
  const json = [{ ...Object(first), ...changes }, ...others] as RecordedJson;
  const calls = tape.calls.map((call) => ({ ...call, answer: call.answer && { ...call.answer, body: { json } } }));
  await recordingOf(folder, changes === null ? [] : calls);
  return folder;
}

test('the report starts with the number of differences, then shows each with both sides and its source', async () => {
  const { code, stdout } = await run(await record({ currencyName: 'Dollars', extra: 1 }));
  expect(code).toBe(1);
  const [file = ''] = /\S+\.jsonl/.exec(stdout) ?? [];
  expect(stdout.split('\n').slice(0, 12)).toEqual([
    '2 differences between the recording and the sandbox.',
    expect.stringMatching(/^Compared: 1 exchange, \d+ members, 0 notifications, 0 payments\.$/),
    '',
    'listCurrencies, 2xx',
    '  D1  Value $[].currencyName',
    '      recorded  "Dollars"',
    '      sandbox   "US Dollar"',
    `      Seen in 1 of 1, first in ${file}:2 (2026-03-01). Change it in your fixtures: operations.json.`,
    '  D2  Member only in the recording $[].extra',
    '      recorded  number: 1',
    '      sandbox   –',
    `      Seen in 1 of 1, first in ${file}:2 (2026-03-01). Change it in your fixtures: operations.json.`,
  ]);
});

test('the exit code is 0 without differences, and 2 if nothing was compared', async () => {
  expect(await run(await record())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No differences: the sandbox behaves as the service did\.\n/),
  });
  expect(await run(await record(null))).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^Nothing was compared\.\n/),
  });
});

test('the report can be JSON, HTML and JUnit XML', async () => {
  const folder = temporaryFolder();
  const [json, html, junit] = ['json', 'html', 'junit'].map((kind) => join(folder, `drift.${kind}`));
  const files = ['--json', `${json}`, '--html', `${html}`, '--junit', `${junit}`];
  const { code } = await run(await record({ currencyName: '<b>' }), ...files);
  expect(code).toBe(1);
  const report = JSON.parse(readFileSync(`${json}`, 'utf8')) as DriftReport;
  expect(await validate('recordings/drift-report', report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'different', differences: [{ kind: 'word', place: '$[].currencyName' }] });
  expect(readFileSync(`${html}`, 'utf8')).toContain('&lt;b>');
  expect(readFileSync(`${junit}`, 'utf8')).toContain(
    '<failure message="D1: Value $[].currencyName">recorded  &quot;&lt;b&gt;&quot;',
  );
});

test('the command prints the active noise rules, and refuses a file that names an unknown one', async () => {
  const folder = await record();
  const file = join(folder, 'mine.json');
  const rule = { name: 'mine', why: 'It is ours.', ignores: 'value', members: ['status'] };
  writeFileSync(file, JSON.stringify({ off: ['tokens'], rules: [rule] }));
  const { stdout } = await run(folder, '--noise', '--noise-file', file);
  expect(stdout).toMatch(/^mine: It is ours\.\n/);
  expect(stdout).not.toMatch(/^tokens:/m);
  writeFileSync(file, JSON.stringify({ off: ['token'] }));
  expect(await run(folder, '--noise-file', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no noise rule token, did you mean tokens?'),
  });
});

test('a folder without a recording is wrong usage', async () => {
  expect(await run(temporaryFolder())).toMatchObject({ code: 2, stderr: expect.stringContaining('has no recording') });
});

describe('the validation of the sandbox that a recording is compared with', () => {
  const call = (): RecordedCall =>
    callAt(timeAfter(0), {
      method: 'POST',
      target: '/param/merchant/feesCalculator',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      body: { json: { paymentMethod: 'wallet_Qr', paymentAmount: 10, paymentCurrency: 1 } },
      answer: { status: 200, headers: [{ name: 'Content-Type', value: 'text/plain' }], body: { json: {} } },
    });
  const resultWith = async (...args: string[]) => {
    const folder = temporaryFolder();
    await recordingOf(folder, [call()]);
    const { stdout } = await run(folder, ...args);
    return stdout.includes('400') ? 'refused' : 'accepted';
  };
  afterEach(() => {
    delete process.env['SANDBOX_VALIDATION'];
  });

  it('is strict unless a flag or variable sets it', async () => {
    expect(await resultWith()).toBe('refused');
    expect(await resultWith('--validation', 'lenient')).toBe('accepted');
    process.env['SANDBOX_VALIDATION'] = 'lenient';
    expect(await resultWith()).toBe('accepted');
    expect(await resultWith('--validation', 'strict')).toBe('refused');
  });

  it('must be one that exists', async () => {
    const folder = await record();
    const wrong = { code: 2, stderr: expect.stringContaining('--validation must be one of strict, lenient') };
    expect(await run(folder, '--validation', 'loose')).toMatchObject(wrong);
  });
});
