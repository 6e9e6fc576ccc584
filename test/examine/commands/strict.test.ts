import { report } from '../../../src/examine/commands/run-examination.ts';
import { EVERY_VERDICT } from '../every-verdict.ts';

const INVOCATION = { args: undefined, named: [], hasOwnSecret: false };
const summaryFile = process.env['GITHUB_STEP_SUMMARY'];

beforeAll(() => {
  delete process.env['GITHUB_STEP_SUMMARY'];
});

afterAll(() => {
  if (summaryFile !== undefined) {
    process.env['GITHUB_STEP_SUMMARY'] = summaryFile;
  }
});

it.each([
  ['a requirement', true],
  ['something outside the requirements', false],
])('an examination with --strict in which %s was not exercised fails: %s', async (_what, isScored) => {
  const [handled] = EVERY_VERDICT.verdicts.filter(({ verdict }) => verdict === 'handled');
  const [unexercised] = EVERY_VERDICT.verdicts.filter(({ verdict }) => verdict === 'not-exercised');
  if (!handled || !unexercised) {
    throw new Error('the report does not have every verdict');
  }
  const examined = {
    ...EVERY_VERDICT,
    verdicts: [handled, { ...unexercised, isScored }],
    counts: { ...EVERY_VERDICT.counts, violated: 0, inconclusive: 0 },
  };
  expect(await report(examined, INVOCATION, new Set(), { strict: true })).toMatchObject({ isFailure: isScored });
});

const ONLY_NEXT = {
  ...EVERY_VERDICT,
  verdicts: EVERY_VERDICT.verdicts
    .filter(({ id }) => id === 'I2-notified-twice-qr-wallet')
    .map((each) => ({ ...each, isScored: false })),
};

it('violations of the next requirements do not fail an examination, and its summary ends with a note on them', async () => {
  const result = await report(ONLY_NEXT, INVOCATION, new Set(), {});
  expect(result).toMatchObject({ isFailure: false, data: { uncounted: { violations: 1 } } });
  expect(result.text.split('\n').at(-1)).toMatch(/^NOT COUNTED: 1 violation outside requirements .*--next/);
});

it('violations of the next requirements fail an examination with --next', async () => {
  const result = await report(ONLY_NEXT, INVOCATION, new Set(), { next: true });
  expect(result.isFailure).toBe(true);
  expect(result.text).not.toContain('NOT COUNTED');
});

it.each([
  ['I13', true],
  ['I2,amount-padded', true],
  ['race', true],
  ['I2', false],
  ['notified-twice,qr-wallet', false],
])('violations of the next requirements fail an examination with --only %s: %s', async (only, isFailure) => {
  expect((await report(ONLY_NEXT, INVOCATION, new Set(), { only })).isFailure).toBe(isFailure);
});
