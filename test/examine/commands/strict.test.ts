import { report } from '../../../src/examine/commands/examination.ts';
import { EVERY_VERDICT } from '../every-verdict.ts';

const REQUESTED = { args: undefined, named: [], hasOwnSecret: false };
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
  [true, true],
  [false, false],
])('an examination with --strict fails if a requirement was not exercised: %s', async (isScored, isFailure) => {
  const [handled] = EVERY_VERDICT.verdicts.filter(({ verdict }) => verdict === 'handled');
  const [untried] = EVERY_VERDICT.verdicts.filter(({ verdict }) => verdict === 'not-exercised');
  if (!handled || !untried) {
    throw new Error('the report does not have every verdict');
  }
  const examined = {
    ...EVERY_VERDICT,
    verdicts: [handled, { ...untried, isScored }],
    counts: { ...EVERY_VERDICT.counts, violated: 0, inconclusive: 0 },
  };
  expect(await report(examined, REQUESTED, new Set(), { strict: true })).toMatchObject({ isFailure });
});
