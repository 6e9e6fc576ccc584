import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DeliveryView, ReportView } from '../../src/base/schema/generated/control.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { requireDefined } from '../server/domain/workbench.ts';

const DOCUMENT = readFileSync('docs/merchant-reports.md', 'utf8');
const COMMANDS = requireDefined(/```sh\n(.*?)```/s.exec(DOCUMENT)?.[1]);

/** Replaces curl, which not every machine has: sends its request, and prints the answer as curl does, also to standard error. */
const CURL = `
import { parseOptions } from './scripts/exchanges.mjs';
const { url, method, headers, body = null } = parseOptions(process.argv.slice(1));
const answer = await fetch(url, { method, headers, body });
const text = await answer.text();
process.stdout.write(text);
console.error(JSON.stringify({ status: answer.status, text }));
`;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it('the nightly job receives its announcement and fetches the report, as docs/merchant-reports.md shows', async () => {
  const curl = `curl() { "$NODE" --input-type=module -e "$CURL" -- "$@"; }`;
  const commands = COMMANDS.replaceAll('http://127.0.0.1:4100', sandbox.url);
  expect(commands).not.toContain(':4100');
  const env = { ...process.env, NODE: process.execPath, CURL };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', `${curl}\n${commands}`], { env });
  const answers: { status: number; text: string }[] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [announced, , listed, file] = answers.slice(-4).map(({ text }) => text);

  const [delivery, ...more] = JSON.parse(requireDefined(announced)).items as DeliveryView[];
  const [report, ...others] = JSON.parse(requireDefined(listed)).items as ReportView[];
  expect([more, others]).toEqual([[], []]);
  expect(report).toMatchObject({ type: 'settlement-file', id: 'settlement-1', businessDate: '2026-03-02' });
  expect(JSON.parse(requireDefined(delivery).body).description).toBe(
    `Settlement of 2026-03-02: Transaction paid successfully; report: ${requireDefined(report).address}`,
  );
  const bookedFile = await fetch(`${sandbox.url}/s/nightly/_sandbox/settlements/settlement-1/file?format=csv`);
  expect(file).toBe(await bookedFile.text());
  expect(stdout.endsWith(requireDefined(file))).toBe(true);
});
